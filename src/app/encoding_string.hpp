#pragma once
// app: one word of the command line that names encodings, taken apart: NAME[:key=value,...], @preset[:...], FILE[:...].
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posenc::app {

enum class WordKind { scheme, preset, file };

struct EncodingWord {
  WordKind kind = WordKind::scheme;
  std::string name;                                         // without @; of a file: its path, with #ARRAY where given
  std::vector<std::pair<std::string, std::string>> values;  // in the order written, without label
  std::string label;                                        // empty: automatic
};

/// Takes `word` apart. A word with a '/' before its first ':' or with a suffix that a model's file or an array has is a
/// file. Throws UsageError for an empty word, name, key or value, a key given twice, and text that is no key=value.
EncodingWord parse_encoding(std::string_view word);

}  // namespace posenc::app
