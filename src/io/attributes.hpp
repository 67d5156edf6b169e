#pragma once
// io: attributes as netCDF-4 has them. Private to this room.
#include "core/schema.hpp"
#include "io/handle.hpp"

#include <vector>

namespace posenc::io {

/// The type in the file: little-endian numbers, variable-length UTF-8 for text.
Handle stored_type(Type type);
/// Variable-length UTF-8, in memory and in the file.
Handle string_type();

/// A string is scalar, variable-length UTF-8; a number is scalar; a list is 1-D. Replaces one of the same name. Throws Failure.
void write_attribute(const Handle& object, const Attribute& attribute);
/// One element in a list, of the exact type of the variable: what _FillValue must be.
void write_fill_value(const Handle& dataset, Type type);
/// CF flag_values of an integer variable, in its type.
void write_flag_values(const Handle& dataset, Type type, const std::vector<double>& values);

/// All attributes in the order of their creation but those that make up the layout (scales, types of another kind).
/// Strings become UTF-8; integers of any width std::int64_t, or a list of doubles if several; several strings are joined
/// with newlines. Throws Failure.
std::vector<Attribute> read_attributes(const Handle& object);

}  // namespace posenc::io
