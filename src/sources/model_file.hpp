#pragma once
// sources: what a file given as an ENCODING means.
#include "model/scheme.hpp"
#include "sources/dialect.hpp"
#include "sources/model_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace posenc::sources {

/// Whether the word names a file: it has a / or a known suffix.
bool is_file_word(std::string_view word);

/// The report of a model's file: config.json, GGUF, or encodings written out in JSON; `folder` stands before the names of tables
/// that the latter give, empty: the file's own folder. Throws Error: no_input where there is no such file; BadData where it
/// cannot be read as what its suffix says. `as`: the tool that a config.json is read as, hf where not given. Throws UsageError
/// where one is given for another kind of file.
ModelReport read_model(const std::string& file, const std::string& folder = {}, std::optional<Dialect> as = {});
/// The same for the text of a JSON file; `file` names it in messages.
ModelReport read_model_text(std::string_view text, const std::string& file, const std::string& folder,
                            std::optional<Dialect> as = {});

/// A model's file: one encoding a layer type, labelled by `label`, else by the folder's name (of any other name than
/// config.json: by the file's), layer types behind a dot; layers without attention have none. A table: `learned` with that
/// table, labelled by the file's name and the array's behind a dot. Labels keep letters, digits and _.+-; other characters
/// become _. Throws as read_model does, and BadData where the file lists errors.
std::vector<model::EncodingSpec> read_encodings(const std::string& file, const std::string& label = {},
                                                const std::string& folder = {}, std::optional<Dialect> as = {});

}  // namespace posenc::sources
