#include "sources/config_scope.hpp"

#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

/// Rising weight.
constexpr std::array order{KeyStatus::ignored, KeyStatus::defaulted, KeyStatus::used, KeyStatus::overridden,
                           KeyStatus::conflicting};
auto weight(KeyStatus status) { return std::find(order.begin(), order.end(), status) - order.begin(); }

void add_once(std::vector<std::string>& lines, const std::string& line) {
  if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
}

}  // namespace

void Ledger::list(const Json& object, const std::string& prefix) {
  for (const auto& [name, value] : object.members) {
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
  otherwise.warning = static_cast<std::size_t>(at - report_.warnings.begin());
  report_.what_if.push_back(std::move(otherwise));
}
void Ledger::error(const std::string& line) { add_once(report_.errors, line); }

}  // namespace posenc::sources
