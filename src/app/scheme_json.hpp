#pragma once
// app: what a scheme declares, as JSON.
#include <string>
#include <string_view>

namespace posenc::app {

/// {"name", "title", "formula", "source", "fields": [...]}.
std::string json_scheme(std::string_view name);
/// All of them, an array.
std::string json_schemes();

}  // namespace posenc::app
