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
  if (!out) ledger_->error(fmt::format("{} = {}: must be {}", path(name), json_text(*v), kind));
  return out;
}

std::optional<double> Scope::number(std::string_view name) const { return read<double>(name, "a number", as_number); }
std::optional<Pos> Scope::count(std::string_view name, Pos low) const {
  return read<Pos>(name, fmt::format("an integer >= {}", low), [&](const Json& v) -> std::optional<Pos> {
    if (!is_number(v) || v.number != std::floor(v.number) || v.number < static_cast<double>(low) || v.number > 0x1p53) return {};
    return static_cast<Pos>(v.number);
  });
}
std::optional<bool> Scope::flag(std::string_view name) const {
  return read<bool>(name, "true or false",
                    [](const Json& v) { return v.kind == Json::Kind::boolean ? std::optional(v.boolean) : std::nullopt; });
}
std::optional<std::string> Scope::word(std::string_view name) const { return read<std::string>(name, "text", as_text); }
std::optional<std::vector<double>> Scope::numbers(std::string_view name) const {
  return read<std::vector<double>>(name, "a list of numbers", [](const Json& v) { return list_of<double>(v, as_number); });
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

void Scope::lost(std::string_view name, std::string_view winner, double decided) const {
  if (!has(name)) return;
  const auto mine = as_number(*value(name));
  const bool agrees = mine && *mine == decided;
  const std::string note = fmt::format("{} = {} decides", winner, plain_number(decided));
  mark(name, agrees ? KeyStatus::overridden : KeyStatus::conflicting, note);
  if (!agrees) ledger_->warn(fmt::format("{} = {} is not used: {}", path(name), json_text(*value(name)), note));
}

void Scope::defaulted(std::string_view name, const std::string& value, const std::string& note) const {
  ledger_->defaulted(path(name), value, note);
}

}  // namespace posenc::sources
