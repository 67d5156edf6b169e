#include "io/copy_group.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::io {
namespace {

constexpr std::uint64_t block = 1 << 17;  // doubles
constexpr std::string_view reason_prefix = "not_applicable_";

Type type_of(const InputFile& file, const std::string& where, const InputVariable& v) {
  if (v.kind == InputVariable::Kind::text) return Type::text;
  if (v.type == "float64") return Type::f64;
  if (v.type == "float32") return Type::f32;
  if (v.type == "int64") return Type::i64;
  if (v.type == "int8") return Type::i8;
  throw BadData(fmt::format("'{}': '{}' is of type {}, which this program does not write", file.path(), where, v.type));
}

bool is_coordinate(const InputVariable& v) { return v.dims.size() == 1 && v.dims[0] == v.name; }

}  // namespace

Schema schema_of(const InputFile& file, const std::string& group) {
  Schema s;
  const auto variables = file.variables(group);
  for (const auto& v : variables)
    if (is_coordinate(v)) s.dims.push_back({v.name, v.grows ? 0 : v.shape[0], v.grows});
  for (const auto& v : variables) {
    const std::string where = group + "/" + v.name;
    for (std::size_t axis = 0; axis < v.dims.size(); ++axis) {
      const Dimension* d = s.dimension(v.dims[axis]);
      if (!d) throw BadData(fmt::format("'{}': axis {} of '{}' has no coordinate in its group", file.path(), axis, where));
      if (!d->grows && d->size != v.shape[axis])
        throw BadData(fmt::format("'{}': axis {} of '{}' is not as long as its coordinate", file.path(), axis, where));
    }
    s.add({v.name, type_of(file, where, v), v.dims, v.unit, v.about, v.attributes});
  }
  for (auto& a : file.attributes(group)) {
    const auto* reason = std::get_if<std::string>(&a.value);
    if (reason && a.name.rfind(reason_prefix, 0) == 0)
      s.skip(a.name.substr(reason_prefix.size()), *reason);
    else if (a.name != "not_applicable")
      s.attributes.push_back(std::move(a));
  }
  return s;
}

void copy_data(const InputFile& file, const std::string& group, Sink& sink) {
  std::vector<double> numbers;
  for (const auto& v : file.variables(group)) {
    const std::string where = group + "/" + v.name;
    const std::uint64_t size = v.size(), row = v.shape.empty() || v.shape[0] == 0 ? 1 : size / v.shape[0];
    if (v.kind == InputVariable::Kind::text) {
      const std::uint64_t rows = std::max<std::uint64_t>(block / 16 / std::max<std::uint64_t>(row, 1), 1);
      for (std::uint64_t at = 0; row > 0 && at < size; at += rows * row)
        sink.write_text(v.name, at / row, file.read_text(where, at, std::min(rows * row, size - at)));
      continue;
    }
    for (std::uint64_t at = 0; at < size; at += block) {
      numbers.resize(std::min(block, size - at));
      file.read(where, at, numbers);
      if (v.type == "int64" && std::any_of(numbers.begin(), numbers.end(), [](double x) { return std::abs(x) > 0x1p53; }))
        throw BadData(fmt::format("'{}': '{}' holds integers beyond 2^53", file.path(), where));
      sink.write_elements(v.name, at, numbers);
    }
  }
}

}  // namespace posenc::io
