#include "io/input_variable.hpp"

#include "io/attributes.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::io {
namespace {

std::string type_name(const Handle& type, InputVariable::Kind& kind) {
  const std::size_t bits = 8 * H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_FLOAT:
      kind = InputVariable::Kind::number;
      return fmt::format("float{}", bits);
    case H5T_INTEGER:
      kind = InputVariable::Kind::number;
      return fmt::format("{}int{}", H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "", bits);
    case H5T_STRING:
      kind = InputVariable::Kind::text;
      return "text";
    case H5T_ENUM:
      return "enumeration";
    case H5T_COMPOUND:
      return "compound";
    case H5T_REFERENCE:
      return "reference";
    case H5T_VLEN:
      return "variable-length list";
    case H5T_ARRAY:
      return "array";
    case H5T_OPAQUE:
      return "opaque";
    default:
      return "unknown type";
  }
}

// The last part of a dataset's path.
std::string own_name(const Handle& object) {
  const auto length = ok(H5Iget_name(object, nullptr, 0));
  std::string path(static_cast<std::size_t>(length) + 1, '\0');
  ok(H5Iget_name(object, path.data(), path.size()));
  path.resize(static_cast<std::size_t>(length));
  return path.substr(path.rfind('/') + 1);
}

// Frees what the library allocated for a variable-length attribute.
struct Lists {
  const Handle &type, &space;
  std::vector<hvl_t> items;
  ~Lists() { H5Dvlen_reclaim(type, space, H5P_DEFAULT, items.data()); }
};

// DIMENSION_LIST by hand: the library's own functions believe the attribute's type and shape.
void scale_names(const Handle& dataset, InputVariable& v) {
  v.dims.assign(v.shape.size(), "");
  if (H5Aexists(dataset, "CLASS") > 0 && v.shape.size() == 1) v.dims[0] = v.name;
  if (H5Aexists(dataset, "DIMENSION_LIST") <= 0 || v.shape.empty()) return;
  const Handle attribute(H5Aopen(dataset, "DIMENSION_LIST", H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose),
      space(H5Aget_space(attribute), H5Sclose);
  if (H5Tget_class(type) != H5T_VLEN || H5Sget_simple_extent_npoints(space) != static_cast<hssize_t>(v.shape.size())) return;
  const Handle element(H5Tget_super(type), H5Tclose);
  if (ok(H5Tequal(element, H5T_STD_REF_OBJ)) == 0) return;
  const Handle memory(H5Tvlen_create(H5T_STD_REF_OBJ), H5Tclose);
  Lists lists{memory, space, std::vector<hvl_t>(v.shape.size())};
  ok(H5Aread(attribute, memory, lists.items.data()));
  for (std::size_t i = 0; i < v.shape.size(); ++i) {
    if (lists.items[i].len == 0 || !lists.items[i].p) continue;
    const hid_t id = H5Rdereference2(dataset, H5P_DEFAULT, H5R_OBJECT, lists.items[i].p);
    if (id < 0) continue;  // dangling after a copy
    const Handle scale(id, H5Oclose);
    if (H5Iget_type(scale) == H5I_DATASET) v.dims[i] = own_name(scale);
  }
}

std::string take_text(std::vector<Attribute>& attributes, std::string_view name) {
  std::string text;
  const auto at = std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& a) {
    return a.name == name && std::holds_alternative<std::string>(a.value);
  });
  if (at == attributes.end()) return text;
  text = std::get<std::string>(at->value);
  attributes.erase(at);
  return text;
}

}  // namespace

InputVariable describe_dataset(const Handle& dataset, const std::string& name) {
  InputVariable v;
  v.name = name;
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose), space(H5Dget_space(dataset), H5Sclose),
      type(H5Dget_type(dataset), H5Tclose);
  const H5D_layout_t layout = ok(H5Pget_layout(creation));
  const bool outside = layout == H5D_VIRTUAL || (layout == H5D_CONTIGUOUS && ok(H5Pget_external_count(creation)) > 0);
  v.type = type_name(type, v.kind);
  const int rank = ok(H5Sget_simple_extent_ndims(space));
  std::vector<hsize_t> size(static_cast<std::size_t>(rank)), most(size);
  if (rank > 0) ok(H5Sget_simple_extent_dims(space, size.data(), most.data()));
  v.shape.assign(size.begin(), size.end());
  v.grows = rank > 0 && most[0] == H5S_UNLIMITED;
  if (H5Sget_simple_extent_type(space) == H5S_NULL) v.kind = InputVariable::Kind::other, v.type = "nothing";
  if (outside) v.kind = InputVariable::Kind::other, v.type = "data in other files";
  scale_names(dataset, v);
  v.attributes = read_attributes(dataset);
  v.unit = take_text(v.attributes, "units");
  v.about = take_text(v.attributes, "long_name");
  std::erase_if(v.attributes, [](const Attribute& a) { return a.name == "_FillValue"; });
  return v;
}

std::uint64_t InputVariable::size() const {
  std::uint64_t n = 1;
  for (const auto d : shape) n *= d;
  return n;
}

}  // namespace posenc::io
