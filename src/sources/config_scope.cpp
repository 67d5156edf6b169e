#include "sources/config_scope.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

bool is_number(const Json& v) { return v.kind == Json::Kind::integer || v.kind == Json::Kind::number; }

template <class T, class One>
std::optional<std::vector<T>> list_of(const Json& v, One&& one) {
  if (v.kind != Json::Kind::array) return {};
  std::vector<T> out;
  for (const Json& item : v.items) {
    auto read = one(item);
    if (!read) return {};
    out.push_back(std::move(*read));
  }
  return out;
}
std::optional<double> as_number(const Json& v) { return is_number(v) ? std::optional(v.number) : std::nullopt; }
/// Digits alone, perhaps with a sign.
bool is_whole(std::string_view token) {
  if (token.starts_with('-')) token.remove_prefix(1);
  return token.find_first_not_of("0123456789") == std::string_view::npos;
}
std::optional<std::string> as_text(const Json& v) { return v.kind == Json::Kind::text ? std::optional(v.text) : std::nullopt; }

}  // namespace

Scope::Scope(Ledger& ledger, const Json& object, std::string prefix)
    : ledger_(&ledger), object_(&object), prefix_(std::move(prefix)) {
  ledger.list(object, prefix_);
}

const Json* Scope::value(std::string_view name) const { return object_->find(name); }

bool Scope::has(std::string_view name) const {
  const Json* v = value(name);
  return v && v->kind != Json::Kind::null;
}

template <class T, class Read>
std::optional<T> Scope::read(std::string_view name, std::string_view kind, Read&& read) const {
  const Json* v = value(name);
  if (!v) return {};
  if (v->kind == Json::Kind::null) return mark(name, KeyStatus::ignored, "null: as if absent"), std::nullopt;
  std::optional<T> out = read(*v);
  mark(name, KeyStatus::used);
  if (!out) ledger_->error(fmt::format("{} = {}: must be {}", path(name), json_brief(*v), kind));
  return out;
}

/// Whether float64 holds the number at all; says where it takes another for it.
bool Scope::holds(std::string_view name, const Json& v) const {
  const std::string token = json_text(v);
  const bool lost = v.number == 0 && token.substr(0, token.find_first_of("eE")).find_first_of("123456789") != std::string::npos;
  if (lost)
    ledger_->error(fmt::format("{} = {}: must be 0 or at least 4.9e-324, the least of float64", path(name), brief(token)));
  if (is_whole(token) && fmt::format("{:.0f}", v.number) != token)
    ledger_->warn(fmt::format("{} = {}: {:.0f} is used, the nearest that float64 holds", path(name), brief(token), v.number));
  return !lost;
}

std::optional<double> Scope::number(std::string_view name) const {
  const auto out = read<double>(name, "a number", as_number);
  return out && holds(name, *value(name)) ? out : std::nullopt;
}
std::optional<Pos> Scope::count(std::string_view name, Pos low) const {
  constexpr Pos most = Pos{1} << 53;
  const Json* v = value(name);
  const bool large = v && is_number(*v) && (v->kind == Json::Kind::integer ? v->integer > most : v->number >= 0x1p53);
  const std::string kind = large ? fmt::format("an integer from {} to {}", low, most) : fmt::format("an integer >= {}", low);
  return read<Pos>(name, kind, [&](const Json& n) -> std::optional<Pos> {
    if (large || !is_number(n) || n.number != std::floor(n.number) || n.number < static_cast<double>(low)) return {};
    return static_cast<Pos>(n.number);
  });
}
std::optional<bool> Scope::flag(std::string_view name) const {
  return read<bool>(name, "true or false",
                    [](const Json& v) { return v.kind == Json::Kind::boolean ? std::optional(v.boolean) : std::nullopt; });
}
std::optional<std::string> Scope::word(std::string_view name) const { return read<std::string>(name, "text", as_text); }
std::optional<std::vector<double>> Scope::numbers(std::string_view name) const {
  const auto out =
      read<std::vector<double>>(name, "a list of numbers", [](const Json& v) { return list_of<double>(v, as_number); });
  if (out)
    for (const Json& item : value(name)->items)
      if (!holds(name, item)) return {};
  return out;
}
std::optional<std::vector<std::string>> Scope::words(std::string_view name) const {
  return read<std::vector<std::string>>(name, "a list of texts", [](const Json& v) { return list_of<std::string>(v, as_text); });
}
std::optional<Scope> Scope::object(std::string_view name) const {
  return read<Scope>(name, "an object", [&](const Json& v) {
    return v.kind == Json::Kind::object ? std::optional(Scope(*ledger_, v, path(name) + ".")) : std::nullopt;
  });
}

template <class T, class One>
std::optional<T> Scope::first(std::span<const std::string_view> names, One&& one) const {
  std::optional<T> out;
  std::string_view winner;
  for (const std::string_view name : names) {
    if (!has(name)) continue;
    if (out)
      lost(name, winner, static_cast<double>(*out));
    else if ((out = one(name)))
      winner = name;
  }
  return out;
}
std::optional<double> Scope::number(std::span<const std::string_view> names) const {
  return first<double>(names, [&](std::string_view name) { return number(name); });
}
std::optional<Pos> Scope::count(std::span<const std::string_view> names) const {
  return first<Pos>(names, [&](std::string_view name) { return count(name); });
}

void Scope::mark(std::string_view name, KeyStatus status, const std::string& note) const {
  ledger_->mark(path(name), status, note);
}

void Scope::lost(std::string_view name, std::string_view winner, double decided, std::optional<WhatIf> otherwise) const {
  if (!has(name)) return;
  const auto mine = as_number(*value(name));
  const bool agrees = mine && *mine == decided;
  const std::string note = fmt::format("{} = {} decides", winner, plain_number(decided));
  mark(name, agrees ? KeyStatus::overridden : KeyStatus::conflicting, note);
  if (agrees) return;
  const std::string line = fmt::format("{} = {} is not used: {}", path(name), json_brief(*value(name)), note);
  if (!otherwise) return ledger_->warn(line);
  otherwise->condition = fmt::format("{} decided", path(name));
  ledger_->warn(line, std::move(*otherwise));
}

void Scope::defaulted(std::string_view name, const std::string& value, const std::string& note) const {
  ledger_->defaulted(path(name), value, note);
}

}  // namespace posenc::sources
