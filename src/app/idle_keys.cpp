#include "app/idle_keys.hpp"

#include "app/subjects.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {
namespace {

bool is_key(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(),
                                      [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

std::optional<KeyNeed> need(std::string_view words) {
  if (const auto equals = words.find('='); equals != std::string_view::npos) {
    const std::string_view key = words.substr(0, equals), values = words.substr(equals + 1);
    if (is_key(key) && !values.empty() && values.find(' ') == std::string_view::npos)
      return KeyNeed{KeyNeed::Kind::one_of, key, values};
    return {};
  }
  for (const auto& [prefix, kind] :
       {std::pair<std::string_view, KeyNeed::Kind>{"with ", KeyNeed::Kind::with}, {"without ", KeyNeed::Kind::without}})
    if (words.starts_with(prefix) && is_key(words.substr(prefix.size()))) return KeyNeed{kind, words.substr(prefix.size()), {}};
  return {};
}

bool among(std::string_view values, std::string_view value) {
  for (;;) {
    const auto bar = values.find('|');
    if (values.substr(0, bar) == value) return true;
    if (bar == std::string_view::npos) return false;
    values.remove_prefix(bar + 1);
  }
}

}  // namespace

std::vector<KeyNeed> needs_of(const Field& field) {
  const auto colon = field.about.find(": ");
  if (colon == std::string_view::npos) return {};
  std::vector<KeyNeed> out;
  for (std::string_view rest = field.about.substr(0, colon);;) {
    const auto comma = rest.find(", ");
    const auto one = need(rest.substr(0, comma));
    if (!one) return {};
    out.push_back(*one);
    if (comma == std::string_view::npos) return out;
    rest.remove_prefix(comma + 2);
  }
}

std::string idle_reason(const model::EncodingSpec& spec, std::string_view key) {
  const auto given = make_scheme(spec), plain = make_scheme({spec.scheme, "", {}});
  Fields fields = given->fields(), defaults = plain->fields();
  const Field* field = find(fields, key);
  if (!field) return {};
  for (const KeyNeed& n : needs_of(*field)) {
    const Field *other = find(fields, n.key), *untouched = find(defaults, n.key);
    if (!other) continue;
    const bool set = text(*other) != text(*untouched);
    if (n.kind == KeyNeed::Kind::one_of && !among(n.values, text(*other))) return fmt::format("needs {}={}", n.key, n.values);
    if (n.kind == KeyNeed::Kind::with && !set) return fmt::format("needs {}", n.key);
    if (n.kind == KeyNeed::Kind::without && set) return fmt::format("has no effect beside {}", n.key);
  }
  return {};
}

void refuse_idle_keys(const model::EncodingSpec& spec) {
  for (const auto& [key, value] : spec.values)
    if (const std::string why = idle_reason(spec, key); !why.empty()) reject(spec.scheme, key, value, why);
}

}  // namespace posenc::app
