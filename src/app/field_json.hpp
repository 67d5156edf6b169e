#pragma once
// app: fields as JSON text; JSON itself stays in source files.
#include "core/field.hpp"

#include <string>

namespace posenc::app {

/// The value with its own type: number, string, true or false, array of numbers; null for a default not filled.
std::string json_value(const Field& field);
/// {"name": value, ...} in the order of the fields.
std::string json_values(const Fields& fields);
/// Everything a field declares: name, type, unit, about, default, range, derived.
std::string json_declaration(const Field& field);

}  // namespace posenc::app
