#pragma once
// app: from the words of the command line to the encodings they name, each with its label.
#include "app/encoding_string.hpp"
#include "app/overrides.hpp"
#include "model/scheme.hpp"
#include "sources/dialect.hpp"

#include <string>
#include <vector>

namespace posenc::app {

/// The default set, in its order, as encoding strings; those that are built.
const std::vector<std::string>& standard_set();

/// The tool that a config.json is read as: the value of the key `as` of a file's or preset's word. Throws UsageError.
std::optional<sources::Dialect> dialect_of(const EncodingWord& word);

struct Expanded {
  std::vector<model::EncodingSpec> specs;  // labels assigned
  std::vector<bool> of_all;                // came with `all`: left out where it needs a value
  std::vector<std::string> notes;          // lines for stderr
};

/// Every word taken apart, sets and files expanded, overrides applied, labels assigned. Values are checked against the
/// schemes' fields, ranges included. Throws UsageError, or Error for a file.
Expanded expand(const std::vector<std::string>& words, Overrides& overrides);

}  // namespace posenc::app
