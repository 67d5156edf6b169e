#include "io/recipe.hpp"

#include "io/attributes.hpp"

#include <algorithm>
#include <limits>

namespace posenc::io {
namespace {

constexpr unsigned ordered = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
constexpr std::uint64_t slab_bytes = 1 << 20;           // written at once to a contiguous dataset
constexpr std::uint64_t chunk_bytes = 1 << 18;          // readers keep 1 MiB of chunks a dataset
constexpr std::uint64_t growing_chunk_bytes = 1 << 13;  // the last one is stored whole, however short the list

bool grows(const Schema& schema, const Variable& v) { return !v.dims.empty() && schema.dimension(v.dims[0])->grows; }
bool is_coordinate(const Schema& schema, const Variable& v) { return schema.dimension(v.name) != nullptr; }
bool is_float(Type type) { return type == Type::f64 || type == Type::f32; }

std::vector<std::uint64_t> shape_of(const Schema& schema, const Variable& v) {
  std::vector<std::uint64_t> shape;
  for (const auto& name : v.dims) shape.push_back(schema.dimension(name)->size);
  return shape;
}

Handle space_of(const Schema& schema, const Variable& v) {
  if (v.dims.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const auto shape = shape_of(schema, v);
  const std::vector<hsize_t> size(shape.begin(), shape.end());
  std::vector<hsize_t> most = size;
  if (grows(schema, v)) most[0] = H5S_UNLIMITED;
  return {H5Screate_simple(static_cast<int>(size.size()), size.data(), most.data()), H5Sclose};
}

// A contiguous dataset gets its place at once and is never filled: it is written in full or the file is thrown away.
Handle creation_of(const Schema& schema, const Variable& v, const Layout& layout, int deflate) {
  Handle list = properties(H5P_DATASET_CREATE);
  ok(H5Pset_obj_track_times(list, false));
  ok(H5Pset_attr_creation_order(list, ordered));
  if (layout.chunked) {
    const auto& shape = layout.grid.shape();
    const std::vector<hsize_t> chunk(shape.begin(), shape.end());
    ok(H5Pset_chunk(list, static_cast<int>(chunk.size()), chunk.data()));
    if (layout.filtered && bytes_of(v.type) > 1) ok(H5Pset_shuffle(list));
    if (layout.filtered) ok(H5Pset_deflate(list, static_cast<unsigned>(deflate)));
  } else if (v.type != Type::text) {
    ok(H5Pset_alloc_time(list, H5D_ALLOC_TIME_EARLY));
    ok(H5Pset_fill_time(list, H5D_FILL_TIME_NEVER));
  }
  if (is_float(v.type) && !is_coordinate(schema, v)) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ok(H5Pset_fill_value(list, H5T_NATIVE_DOUBLE, &nan));
  }
  return list;
}

void describe(const Handle& dataset, const Schema& schema, const Variable& v) {
  write_attribute(dataset, {"long_name", v.about});
  write_attribute(dataset, {"units", v.unit});
  if (is_float(v.type) && !is_coordinate(schema, v)) write_fill_value(dataset, v.type);
  bool flags = false;
  for (const Attribute& a : v.attributes) {
    const auto* values = std::get_if<std::vector<double>>(&a.value);
    if (a.name == "flag_values" && values && !is_float(v.type))
      write_flag_values(dataset, v.type, *values), flags = true;
    else
      write_attribute(dataset, a);
  }
  if (v.type == Type::i8 && !flags) {
    write_flag_values(dataset, v.type, {0, 1});
    write_attribute(dataset, {"flag_meanings", "false true"});
  }
}

}  // namespace

Handle file_creation() {
  Handle list = properties(H5P_FILE_CREATE);
  ok(H5Pset_link_creation_order(list, ordered));
  ok(H5Pset_attr_creation_order(list, ordered));
  ok(H5Pset_obj_track_times(list, false));
  return list;
}

Handle file_access() {
  Handle list = properties(H5P_FILE_ACCESS);
  ok(H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18));
  ok(H5Pset_fclose_degree(list, H5F_CLOSE_SEMI));
  ok(H5Pset_sieve_buf_size(list, 0));  // small writes go out, and fail, when they are made
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 11, 0))
  ok(H5Pset_file_locking(list, false, true));  // nobody else knows the partial file; some file systems have no locks
#endif
  return list;
}

Layout layout_of(const Schema& schema, const Variable& v, int deflate) {
  const auto shape = shape_of(schema, v);
  const bool growing = grows(schema, v);
  const bool empty = std::find(shape.begin(), shape.end(), 0) != shape.end();
  const bool filtered = deflate > 0 && v.type != Type::text && !shape.empty() && (growing || !empty);
  const std::uint64_t bytes = filtered && !growing ? chunk_bytes : growing ? growing_chunk_bytes : slab_bytes;
  return {growing || filtered, filtered, BlockGrid(shape, growing, bytes / bytes_of(v.type))};
}

Handle create_group(const Handle& file, const std::string& path) {
  Handle list = properties(H5P_GROUP_CREATE);
  ok(H5Pset_link_creation_order(list, ordered));
  ok(H5Pset_attr_creation_order(list, ordered));
  ok(H5Pset_obj_track_times(list, false));
  Handle links = properties(H5P_LINK_CREATE);
  ok(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  for (auto end = path.find('/', 1); end != std::string::npos; end = path.find('/', end + 1)) {
    const std::string parent = path.substr(0, end);
    if (ok(H5Lexists(file, parent.c_str(), H5P_DEFAULT)) == 0)
      file.child(H5Gcreate2(file, parent.c_str(), links, list, H5P_DEFAULT), H5Gclose).close();
  }
  return file.child(H5Gcreate2(file, path.c_str(), links, list, H5P_DEFAULT), H5Gclose);
}

std::vector<Handle> create_datasets(const Handle& group, const Schema& schema, int deflate) {
  Handle links = properties(H5P_LINK_CREATE);
  ok(H5Pset_char_encoding(links, H5T_CSET_UTF8));
  std::vector<Handle> datasets;
  for (const Variable& v : schema.vars) {
    const Handle list = creation_of(schema, v, layout_of(schema, v, deflate), deflate);
    datasets.push_back(group.child(
        H5Dcreate2(group, v.name.c_str(), stored_type(v.type), space_of(schema, v), links, list, H5P_DEFAULT), H5Dclose));
    describe(datasets.back(), schema, v);
  }
  const auto scale = [&](const std::string& name) -> const Handle& {
    const Variable* v = schema.variable(name);
    return datasets[static_cast<std::size_t>(v - schema.vars.data())];
  };
  for (const Dimension& d : schema.dims) ok(H5DSset_scale(scale(d.name), d.name.c_str()));
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const Variable& v = schema.vars[i];
    if (is_coordinate(schema, v)) continue;
    for (std::size_t axis = 0; axis < v.dims.size(); ++axis)
      ok(H5DSattach_scale(datasets[i], scale(v.dims[axis]), static_cast<unsigned>(axis)));
  }
  return datasets;
}

}  // namespace posenc::io
