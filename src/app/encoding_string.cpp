#include "app/encoding_string.hpp"

#include "core/error.hpp"
#include "sources/model_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

namespace posenc::app {
namespace {

bool is_key_text(std::string_view text) {
  const auto equals = text.find('=');
  return equals != std::string_view::npos && equals > 0 &&
         std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_'; });
}

/// The ':' that ends the name. A file's path may hold colons: its first one that is followed by key= ends it.
std::size_t name_end(std::string_view word) {
  const auto first = word.find(':');
  if (first == std::string_view::npos || word.front() == '@') return first;
  if (!sources::is_file_word(word.substr(0, first))) return first;
  for (auto at = first; at != std::string_view::npos; at = word.find(':', at + 1))
    if (is_key_text(word.substr(at + 1))) return at;
  std::error_code ignored;
  return std::filesystem::exists(std::filesystem::path(word), ignored) ? std::string_view::npos : first;
}

void take_value(EncodingWord& out, std::string_view item) {
  const auto equals = item.find('=');
  if (equals == std::string_view::npos || equals == 0)
    throw UsageError(fmt::format("{}: '{}': must be key=value", out.name, item));
  const std::string key(item.substr(0, equals)), value(item.substr(equals + 1));
  if (value.empty()) throw UsageError(fmt::format("{}: {}: must not be empty", out.name, key));
  const bool twice = (key == "label" && !out.label.empty()) ||
                     std::any_of(out.values.begin(), out.values.end(), [&](const auto& v) { return v.first == key; });
  if (twice) throw UsageError(fmt::format("{}: {} = {}: given twice", out.name, key, value));
  if (key == "label")
    out.label = value;
  else
    out.values.emplace_back(key, value);
}

}  // namespace

EncodingWord parse_encoding(std::string_view word) {
  if (word.empty()) throw UsageError("encoding: must not be empty");
  const auto end = name_end(word);
  std::string_view name = word.substr(0, end);
  EncodingWord out;
  if (!name.empty() && name.front() == '@') {
    out.kind = WordKind::preset;
    name.remove_prefix(1);
  } else if (sources::is_file_word(name)) {
    out.kind = WordKind::file;
  }
  out.name = name;
  if (out.name.empty()) throw UsageError(fmt::format("encoding '{}': must begin with a name", word));
  if (end == std::string_view::npos) return out;
  for (std::string_view rest = word.substr(end + 1);;) {
    const auto comma = rest.find(',');
    take_value(out, rest.substr(0, comma));
    if (comma == std::string_view::npos) break;
    rest.remove_prefix(comma + 1);
  }
  return out;
}

}  // namespace posenc::app
