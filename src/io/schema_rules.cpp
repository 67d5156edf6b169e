#include "io/schema_rules.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <set>

namespace posenc::io {
namespace {

constexpr std::array<std::string_view, 10> layout_names{"units",       "long_name",      "_FillValue",     "CLASS",
                                                        "NAME",        "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid",
                                                        "_nc3_strict", "_NCProperties"};

// What netCDF takes as a name: no '/', no control characters, not blank at the end.
bool usable(std::string_view name) {
  return !name.empty() && name.size() < 256 && name.find('/') == std::string_view::npos && name.back() != ' ' && name != "." &&
         name != ".." && std::none_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

}  // namespace

void internal_error(const std::string& where, const std::string& rule) {
  throw Error(Exit::internal, fmt::format("internal: {}: {}", where, rule));
}

void check_attribute(const std::string& where, const Attribute& attribute) {
  if (!usable(attribute.name)) internal_error(where, fmt::format("attribute name '{}' is not usable", attribute.name));
  if (std::find(layout_names.begin(), layout_names.end(), attribute.name) != layout_names.end())
    internal_error(where, fmt::format("attribute '{}' belongs to the layout", attribute.name));
}

void check_schema(const std::string& group, const Schema& schema) {
  std::set<std::string> names;
  for (const Dimension& d : schema.dims) {
    if (!usable(d.name)) internal_error(group, fmt::format("dimension name '{}' is not usable", d.name));
    if (!names.insert(d.name).second) internal_error(group, fmt::format("dimension '{}' is declared twice", d.name));
    if (d.grows && d.size != 0) internal_error(group, fmt::format("dimension '{}' grows and has a size", d.name));
    const Variable* coordinate = schema.variable(d.name);
    if (!coordinate || coordinate->dims != std::vector<std::string>{d.name})
      internal_error(group, fmt::format("dimension '{}' has no coordinate variable along itself", d.name));
  }
  names.clear();
  for (const Variable& v : schema.vars) {
    if (!usable(v.name)) internal_error(group, fmt::format("variable name '{}' is not usable", v.name));
    const std::string where = group + "/" + v.name;
    if (!names.insert(v.name).second) internal_error(where, "declared twice");
    if (v.unit.empty() || v.about.empty()) internal_error(where, "has no unit or no description");
    for (std::size_t i = 0; i < v.dims.size(); ++i) {
      const Dimension* d = schema.dimension(v.dims[i]);
      if (!d) internal_error(where, fmt::format("axis '{}' is no dimension of the schema", v.dims[i]));
      if (d->grows && i > 0) internal_error(where, fmt::format("growing dimension '{}' must come first", d->name));
    }
    for (const Attribute& a : v.attributes) check_attribute(where, a);
  }
  for (const auto& [name, reason] : schema.not_applicable) {
    if (!usable(name)) internal_error(group, fmt::format("variable name '{}' is not usable", name));
    if (names.count(name)) internal_error(group + "/" + name, "is declared, and declared not applicable");
  }
  for (const Attribute& a : schema.attributes) check_attribute(group, a);
}

}  // namespace posenc::io
