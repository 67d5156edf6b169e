#pragma once
// core: one declaration of an option. A value, not a visitor: encoding strings, overrides, attributes, help, completion,
// JSON and sweep files are all loops over a list of Field.
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace posenc {

/// A member of enum type, seen as one of a list of words.
struct Choice {
  std::function<int()> get;
  std::function<void(int)> set;
  std::span<const std::string_view> names;
};
template <class Enum>
Choice choice(Enum& member, std::span<const std::string_view> names) {
  return {[&member] { return static_cast<int>(member); }, [&member](int i) { member = static_cast<Enum>(i); }, names};
}

/// Where a field's value lives. optional<> = a default that follows from the context (original = training length);
/// resolving fills it before use, and provenance writes the filled value.
using Slot = std::variant<bool*, std::int64_t*, double*, std::string*, std::vector<double>*, Choice,
                          std::optional<std::int64_t>*, std::optional<double>*>;

/// Allowed interval of a number, each end open or closed; `even` adds divisibility by two.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool open_low = false, open_high = false, even = false;
};
inline Range at_least(double low) { return {.low = low}; }
inline Range above(double low) { return {.low = low, .open_low = true}; }
inline Range between(double low, double high) { return {.low = low, .high = high}; }

struct Field {
  std::string_view name, unit, about;
  Slot slot;
  Range range{};
  std::string_view derived{};  // how an optional<> default is derived, in words
  bool given = false;          // set by the user or a file, not by default
};
using Fields = std::vector<Field>;

/// Whole-token number with an optional suffix k, M or G (1024, 1024^2, 1024^3). No sign tricks, octal, hex, inf or nan.
/// `where` names the field in the message. Throws UsageError.
double parse_number(std::string_view where, std::string_view token);
std::int64_t parse_integer(std::string_view where, std::string_view token);

/// Text into the field's slot; marks it given. `owner` is the scheme, analysis or command. Throws UsageError with
/// "owner: name = value: rule".
void set(std::string_view owner, Field& field, std::string_view text);

/// Canonical text of the value: set(text(f)) restores it exactly. Empty for an optional<> not filled.
std::string text(const Field& field);
/// The type in words for help ("integer", "number", "true|false", "a|b|c", "numbers a/b/c", "text").
std::string type_words(const Field& field);
/// The allowed interval in words ("> 0", ">= 1, even", ...); empty if unrestricted.
std::string range_words(const Range& range);

/// Throws UsageError "owner: name = value: rule" for a rule that spans fields.
[[noreturn]] void reject(std::string_view owner, const Field& field, std::string_view rule);
[[noreturn]] void reject(std::string_view owner, std::string_view name, std::string_view value, std::string_view rule);

/// The field of that name, or nullptr.
Field* find(Fields& fields, std::string_view name);
/// The name nearest to `word` by edit distance, empty when none is near (two letters, or a third of a long word).
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);
/// `unknown KIND 'word'` with the nearest name, as a UsageError.
[[noreturn]] void unknown(std::string_view kind, std::string_view word, std::span<const std::string_view> names);

/// Shortest text that reads back as the same double.
std::string number_text(double value);

}  // namespace posenc
