#include "core/schema.hpp"

#include <algorithm>

namespace posenc {

std::uint64_t bytes_of(Type type) {
  switch (type) {
    case Type::f64:
    case Type::i64: return 8;
    case Type::f32: return 4;
    case Type::i8: return 1;
    case Type::text: return 16;
  }
  return 0;
}

const Dimension* Schema::dimension(std::string_view name) const {
  const auto at = std::find_if(dims.begin(), dims.end(), [&](const Dimension& d) { return d.name == name; });
  return at == dims.end() ? nullptr : &*at;
}

const Variable* Schema::variable(std::string_view name) const {
  const auto at = std::find_if(vars.begin(), vars.end(), [&](const Variable& v) { return v.name == name; });
  return at == vars.end() ? nullptr : &*at;
}

std::uint64_t Schema::row_size(const Variable& v) const {
  std::uint64_t n = 1;
  for (std::size_t i = 1; i < v.dims.size(); ++i) n *= dimension(v.dims[i])->size;
  return n;
}

std::uint64_t Schema::rows(const Variable& v) const { return v.dims.empty() ? 1 : dimension(v.dims[0])->size; }

std::uint64_t Schema::bytes() const {
  std::uint64_t n = 0;
  for (const auto& v : vars) n += rows(v) * row_size(v) * bytes_of(v.type);
  return n;
}

void Schema::axis(Dimension dimension_, Type type, std::string unit, std::string about) {
  if (dimension(dimension_.name)) return;
  const std::string name = dimension_.name;
  dims.push_back(std::move(dimension_));
  vars.push_back({name, type, {name}, std::move(unit), std::move(about), {}});
}

}  // namespace posenc
