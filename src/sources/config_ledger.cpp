#include "sources/config_scope.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

/// Rising weight.
constexpr std::array order{KeyStatus::ignored, KeyStatus::defaulted, KeyStatus::used, KeyStatus::overridden,
                           KeyStatus::conflicting};
auto weight(KeyStatus status) { return std::find(order.begin(), order.end(), status) - order.begin(); }

constexpr std::size_t most_lines = 100, most_keys = std::size_t{1} << 17, longest_prefix = 1024;

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (lines.size() > most_lines || std::find(lines.begin(), lines.end(), line) != lines.end()) return;
  lines.push_back(lines.size() < most_lines ? line : "more of these lines are left out");
}

}  // namespace

void Ledger::list(const Json& object, const std::string& prefix) {
  if (prefix.size() > longest_prefix)
    return error(fmt::format("{}: must be a key of at most {} bytes", brief(prefix), longest_prefix));
  for (const auto& [name, value] : object.members) {
    if (report_.keys.size() == most_keys)
      return error(
          fmt::format("{}: is one key too many: must be at most {} where positions are told", brief(prefix + name), most_keys));
    const auto [place, fresh] = places_.emplace(prefix + name, Place{report_.keys.size()});
    if (!fresh) continue;
    report_.keys.push_back({prefix + name, json_text(value), KeyStatus::ignored, {}});
    if (name.starts_with('_')) mark(prefix + name, KeyStatus::ignored, "a note");
  }
}

void Ledger::mark(const std::string& key, KeyStatus status, const std::string& note) {
  const auto at = places_.find(key);
  if (at == places_.end()) return;
  at->second.touched = true;
  KeyReport& entry = report_.keys[at->second.at];
  if (weight(status) < weight(entry.status)) return;
  if (!note.empty() || status != entry.status) entry.note = note;
  entry.status = status;
}

void Ledger::defaulted(const std::string& key, const std::string& value, const std::string& note) {
  const auto [place, fresh] = places_.emplace(key, Place{report_.keys.size(), true});
  if (fresh)
    report_.keys.push_back({key, value, KeyStatus::defaulted, note});
  else if (report_.keys[place->second.at].value == "null")  // a null in the file: the default takes its place
    mark(key, KeyStatus::defaulted, "null: " + note + ", " + value);
}

bool Ledger::touched(const std::string& key) const {
  const auto at = places_.find(key);
  return at != places_.end() && at->second.touched;
}

void Ledger::warn(const std::string& line) { add_once(report_.warnings, line); }
void Ledger::warn(const std::string& line, WhatIf otherwise) {
  warn(line);
  const auto at = std::find(report_.warnings.begin(), report_.warnings.end(), line);
  if (at == report_.warnings.end()) return;  // one too many
  otherwise.warning = static_cast<std::size_t>(at - report_.warnings.begin());
  report_.what_if.push_back(std::move(otherwise));
}
void Ledger::error(const std::string& line) { add_once(report_.errors, line); }

}  // namespace posenc::sources
