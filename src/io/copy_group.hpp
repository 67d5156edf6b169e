#pragma once
// io: groups from one file into another, as merging does.
#include "core/schema.hpp"
#include "core/sink.hpp"
#include "io/input_file.hpp"

#include <string>

namespace posenc::io {

/// The schema that OutputFile::group would make the group from: dimensions, variables, attributes, what does not apply.
/// Throws BadData for a group that is not of this program's layout (a type, an axis without a scale of the same group).
Schema schema_of(const InputFile& file, const std::string& group);

/// All data of the group into a sink made for schema_of(file, group), in blocks of at most 1 MiB. 64-bit integers beyond 2^53
/// are refused, since they pass through doubles.
void copy_data(const InputFile& file, const std::string& group, Sink& sink);

}  // namespace posenc::io
