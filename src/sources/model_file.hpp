#pragma once
// sources: what a file given as an ENCODING means.
#include "model/scheme.hpp"

#include <string>
#include <vector>

namespace posenc::sources {

/// Whether the word names a file: it has a / or a known suffix.
bool is_file_word(std::string_view word);

/// config.json: one encoding a layer type, labelled by the folder's name (of any other name: by the file's), layer types
/// behind a dot; layers without attention have none. A table: `learned` with that table. Labels keep letters, digits and
/// _.+-; other characters become _. Throws Error: no_input where there is no such file; BadData where it cannot be read as
/// what its suffix says, or lists errors.
std::vector<model::EncodingSpec> read_encodings(const std::string& file);

}  // namespace posenc::sources
