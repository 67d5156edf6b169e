#include "io/attributes.hpp"

#include "io/strings.hpp"
#include "io/utf8.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace posenc::io {
namespace {

Handle list_space(std::size_t size) {
  const hsize_t n = size;
  return {H5Screate_simple(1, &n, nullptr), H5Sclose};
}

void write(const Handle& object, const std::string& name, hid_t file_type, const Handle& space, hid_t memory_type,
           const void* data) {
  const Handle list = properties(H5P_ATTRIBUTE_CREATE);
  ok(H5Pset_char_encoding(list, H5T_CSET_UTF8));
  Handle attribute = object.child(H5Acreate2(object, name.c_str(), file_type, space, list, H5P_DEFAULT), H5Aclose);
  if (data) ok(H5Awrite(attribute, memory_type, data));
  attribute.close();
}

struct Writer {
  const Handle& object;
  const std::string& name;

  void operator()(const std::string& s) const {
    const Handle type = string_type();
    const std::string text = to_utf8(s);
    const char* pointer = text.c_str();
    write(object, name, type, {H5Screate(H5S_SCALAR), H5Sclose}, type, &pointer);
  }
  void operator()(double v) const {
    write(object, name, H5T_IEEE_F64LE, {H5Screate(H5S_SCALAR), H5Sclose}, H5T_NATIVE_DOUBLE, &v);
  }
  void operator()(std::int64_t v) const {
    write(object, name, H5T_STD_I64LE, {H5Screate(H5S_SCALAR), H5Sclose}, H5T_NATIVE_INT64, &v);
  }
  void operator()(const std::vector<double>& v) const {
    write(object, name, H5T_IEEE_F64LE, list_space(v.size()), H5T_NATIVE_DOUBLE, v.empty() ? nullptr : v.data());
  }
};

constexpr hsize_t most_elements = 1 << 20;  // of an attribute read: the sizes in a damaged file are not to be believed

bool structural(const std::string& name) {
  static constexpr std::array<std::string_view, 7> names{"CLASS",         "NAME",        "DIMENSION_LIST", "REFERENCE_LIST",
                                                         "_Netcdf4Dimid", "_nc3_strict", "_NCProperties"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

void read_attribute(const Handle& object, const std::string& name, std::vector<Attribute>& out) {
  const Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose), type(H5Aget_type(attribute), H5Tclose),
      space(H5Aget_space(attribute), H5Sclose);
  const auto n = ok(H5Sget_simple_extent_npoints(space));
  if (H5Sget_simple_extent_type(space) == H5S_NULL || n > static_cast<hssize_t>(most_elements)) return;
  const H5T_class_t kind = H5Tget_class(type);
  if (kind == H5T_STRING) {
    std::string all;
    for (const auto& s : read_strings(type, static_cast<std::size_t>(n),
                                      [&](hid_t memory, void*buffer) { ok(H5Aread(attribute, memory, buffer)); }))
      all += (all.empty() ? "" : "\n") + s;
    out.push_back({name, std::move(all)});
  } else if (kind == H5T_INTEGER && n == 1) {
    std::int64_t v = 0;
    ok(H5Aread(attribute, H5T_NATIVE_INT64, &v));
    out.push_back({name, v});
  } else if (kind == H5T_INTEGER || kind == H5T_FLOAT) {
    std::vector<double> v(static_cast<std::size_t>(n));
    if (n > 0) ok(H5Aread(attribute, H5T_NATIVE_DOUBLE, v.data()));
    if (H5Sget_simple_extent_ndims(space) == 0)
      out.push_back({name, v[0]});
    else
      out.push_back({name, std::move(v)});
  }
}

}  // namespace

Handle string_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  ok(H5Tset_size(type, H5T_VARIABLE));
  ok(H5Tset_cset(type, H5T_CSET_UTF8));
  return type;
}

Handle stored_type(Type type) {
  switch (type) {
    case Type::f64:
      return {H5Tcopy(H5T_IEEE_F64LE), H5Tclose};
    case Type::f32:
      return {H5Tcopy(H5T_IEEE_F32LE), H5Tclose};
    case Type::i64:
      return {H5Tcopy(H5T_STD_I64LE), H5Tclose};
    case Type::i8:
      return {H5Tcopy(H5T_STD_I8LE), H5Tclose};
    case Type::text:
      break;
  }
  return string_type();
}

void write_attribute(const Handle& object, const Attribute& a) {
  if (ok(H5Aexists(object, a.name.c_str())) > 0) ok(H5Adelete(object, a.name.c_str()));
  std::visit(Writer{object, a.name}, a.value);
}

void write_fill_value(const Handle& dataset, Type type) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  write(dataset, "_FillValue", stored_type(type), list_space(1), H5T_NATIVE_DOUBLE, &nan);
}

void write_flag_values(const Handle& dataset, Type type, const std::vector<double>& values) {
  write(dataset, "flag_values", stored_type(type), list_space(values.size()), H5T_NATIVE_DOUBLE, values.data());
}

std::vector<Attribute> read_attributes(const Handle& object) {
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5A_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, nullptr, collect, &names) < 0) {
    names.clear();
    ok(H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names));
  }
  std::vector<Attribute> out;
  for (const auto& name : names)
    if (!structural(name)) read_attribute(object, name, out);
  return out;
}

}  // namespace posenc::io
