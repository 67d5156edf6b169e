#include "io/table.hpp"

#include "core/error.hpp"
#include "io/input_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::io {
namespace {

constexpr std::uint64_t block = 1 << 16;  // elements looked at together

class Table : public model::Tensor {
 public:
  Table(InputFile file, std::string dataset, const InputVariable& v) : file_(std::move(file)), dataset_(std::move(dataset)) {
    shape_.assign(v.shape.begin(), v.shape.end());
  }
  const std::vector<model::Pos>& shape() const override { return shape_; }
  void read(model::Pos first, std::span<double> out) const override {
    file_.read(dataset_, static_cast<std::uint64_t>(first), out);
  }

 private:
  InputFile file_;
  std::string dataset_;
  std::vector<model::Pos> shape_;
};

bool is_table(const InputVariable& v) {
  const bool coordinate = v.shape.size() == 1 && v.dims[0] == v.name;
  return v.kind == InputVariable::Kind::number && !v.shape.empty() && !coordinate;
}

std::string only_table(const InputFile& file) {
  std::vector<std::string> found;
  for (const auto& group : file.groups())
    for (const auto& v : file.variables(group))
      if (is_table(v)) found.push_back((group == "/" ? "" : group) + "/" + v.name);
  if (found.size() == 1) return found[0];
  if (found.empty()) throw BadData(fmt::format("'{}': holds no table of numbers", file.path()));
  const std::size_t shown = std::min<std::size_t>(found.size(), 8);
  throw BadData(fmt::format("'{0}': holds {1} tables: name one, as {0}#{2} (there are {3}{4})", file.path(), found.size(),
                            found[0], fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                            shown < found.size() ? ", ..." : ""));
}

void check_finite(const model::Tensor& table, const std::string& file) {
  std::vector<double> numbers(block);
  const auto size = static_cast<std::uint64_t>(table.size());
  for (std::uint64_t at = 0; at < size; at += block) {
    const std::span<double> part(numbers.data(), std::min(block, size - at));
    table.read(static_cast<model::Pos>(at), part);
    const auto bad = std::find_if(part.begin(), part.end(), [](double x) { return !std::isfinite(x); });
    if (bad != part.end())
      throw BadData(fmt::format("'{}': element {} is not finite", file, at + static_cast<std::uint64_t>(bad - part.begin())));
  }
}

}  // namespace

std::shared_ptr<const model::Tensor> open_table(const std::string& file) {
  const auto mark = file.rfind('#');
  InputFile input(file.substr(0, mark));
  std::string dataset = mark == std::string::npos ? only_table(input) : file.substr(mark + 1);
  if (dataset.empty() || dataset.front() != '/') dataset = "/" + dataset;
  const InputVariable v = input.variable(dataset);
  if (v.kind != InputVariable::Kind::number)
    throw BadData(fmt::format("'{}': '{}' holds {}, not numbers", file, dataset, v.type));
  if (v.shape.empty()) throw BadData(fmt::format("'{}': '{}' is a single number, not a table", file, dataset));
  auto table = std::make_shared<Table>(std::move(input), dataset, v);
  check_finite(*table, file);
  return table;
}

}  // namespace posenc::io
