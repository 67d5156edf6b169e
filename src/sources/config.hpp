#pragma once
// sources: Hugging Face config.json.
#include "sources/dialect.hpp"
#include "sources/json.hpp"
#include "sources/model_report.hpp"

namespace posenc::sources {

/// What the text model of a config.json does with positions in the tool that `as` names. Malformed JSON throws BadData; what is
/// wrong with the model's keys, or refused by the tool, is listed under errors, one line each, and leaves the report without
/// layers. `file` names the file in messages.
ModelReport read_config(std::string_view text, std::string_view file, Dialect as = Dialect::hf);
ModelReport read_config(const JsonDocument& document, std::string_view file, Dialect as = Dialect::hf);

/// Of a config.json, in bytes.
inline constexpr std::size_t largest_config = std::size_t{16} << 20;
/// The same for a file of at most that size. Throws Error: no_input where it is missing.
ModelReport read_config_file(const std::string& path, Dialect as = Dialect::hf);

}  // namespace posenc::sources
