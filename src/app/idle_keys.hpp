#pragma once
// app: keys without effect beside the others of their encoding, such as the table's width where there is no table.
#include "model/scheme.hpp"

namespace posenc::app {

/// What a key needs beside it, as its description begins: "KEY=VALUE|VALUE", "with KEY" (it differs from its default) or
/// "without KEY", several joined by ", ", then ": ".
struct KeyNeed {
  enum class Kind { one_of, with, without } kind;
  std::string_view key;
  std::string_view values;  // one_of, joined by |
};
std::vector<KeyNeed> needs_of(const Field& field);

/// Why the key has no effect among the values of the specification ("needs frequencies=single"); empty where it has one or the
/// scheme has no such key.
std::string idle_reason(const model::EncodingSpec& spec, std::string_view key);
/// Throws UsageError "SCHEME: KEY = VALUE: REASON" for the first key of the specification without effect.
void refuse_idle_keys(const model::EncodingSpec& spec);

}  // namespace posenc::app
