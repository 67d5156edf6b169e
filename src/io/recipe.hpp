#pragma once
// io: how the file, its groups, datasets and dimension scales are made so that every netCDF-4 reader takes them.
// Private to this room.
#include "core/schema.hpp"
#include "io/block_grid.hpp"
#include "io/handle.hpp"

#include <string>
#include <vector>

namespace posenc::io {

/// Property lists of a new file.
Handle file_creation();
Handle file_access();

/// How a variable lies in the file.
struct Layout {
  bool chunked = false;   // else contiguous
  bool filtered = false;  // shuffled and deflated
  BlockGrid grid;         // the chunks, or the slabs in which a contiguous dataset is written
};
Layout layout_of(const Schema& schema, const Variable& variable, int deflate);

/// Creates the group and its missing parents, each tracking the order of its links and attributes. Throws Failure.
Handle create_group(const Handle& file, const std::string& path);

/// Creates the datasets of the schema, in its order, with their attributes, then makes the coordinates dimension scales and
/// attaches one to every axis of every other dataset. Growing dimensions start at length 0. Throws Failure.
std::vector<Handle> create_datasets(const Handle& group, const Schema& schema, int deflate);

}  // namespace posenc::io
