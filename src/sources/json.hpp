#pragma once
// sources: a JSON document as a plain tree, in the order of the file.
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace posenc::sources {

struct Json {
  enum class Kind { null, boolean, integer, number, text, array, object };
  Kind kind = Kind::null;
  bool boolean = false;
  std::int64_t integer = 0;  // of Kind::integer
  double number = 0;         // of Kind::integer and Kind::number
  std::string text{};        // of Kind::text; the token as written of Kind::number
  std::vector<Json> items{};
  std::vector<std::pair<std::string, Json>> members{};  // each name once: of a repeated one the last value, at its first place

  /// The member of that name, or nullptr; nullptr too where this is no object.
  const Json* find(std::string_view name) const;
};

struct JsonDocument {
  Json root;
  /// Names that occur twice in one object, with their path: "rope_scaling.factor"; the first 64 of them.
  std::vector<std::string> repeated;
};

/// Strict RFC 8259: no comments, no NaN or Infinity, valid UTF-8 without a byte order mark, nothing after the value; besides, at
/// most 64 levels deep and 2^22 values, numbers within float64, no U+0000 in text. Throws BadData in one line of ASCII: "FILE:
/// rule", of a number "FILE: its.path = number: rule".
JsonDocument parse_json(std::string_view text, std::string_view file);

/// Compact text of the value.
std::string json_text(const Json& value);
/// The same for a message: its first 120 bytes or so, and dots.
std::string json_brief(const Json& value);
/// The first 120 bytes or so of words of any length, never a part of a UTF-8 character, and dots where more follow.
std::string brief(std::string_view words);
/// The words as a JSON string, quotes and escapes included.
std::string json_string(std::string_view words);

}  // namespace posenc::sources
