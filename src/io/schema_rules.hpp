#pragma once
// io: what a schema must keep for its file to open in every reader. A broken rule is the program's fault, never the user's.
#include "core/error.hpp"
#include "core/schema.hpp"

#include <string>

namespace posenc::io {

/// Exit::internal, "internal: WHERE: RULE".
[[noreturn]] void internal_error(const std::string& where, const std::string& rule);

/// Throws Error(internal) naming `group` unless every name is usable, every dimension has its coordinate (a variable of that
/// name, along it alone), every axis is a dimension of the schema, a growing dimension is the leading one everywhere, and no
/// attribute takes a name that this room writes itself.
void check_schema(const std::string& group, const Schema& schema);

/// Throws Error(internal) if the attribute's name is empty, holds a '/' or belongs to the layout (units, _FillValue, ...).
void check_attribute(const std::string& where, const Attribute& attribute);

}  // namespace posenc::io
