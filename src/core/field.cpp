#include "core/field.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

namespace posenc {
namespace {

template <class... F>
struct overload : F... {
  using F::operator()...;
};
template <class... F>
overload(F...) -> overload<F...>;  // clang deduces it of itself from version 17 on

double suffix_scale(char c) { return c == 'k' ? 1024.0 : c == 'M' ? 1048576.0 : c == 'G' ? 1073741824.0 : 0.0; }

std::string where(std::string_view owner, const Field& f) {
  return owner.empty() ? std::string(f.name) : fmt::format("{}: {}", owner, f.name);
}

void check(std::string_view owner, const Field& f, double v, std::string_view token) {
  const Range& r = f.range;
  const bool inside = v >= r.low && v <= r.high && !(r.open_low && v == r.low) && !(r.open_high && v == r.high) &&
                      !(r.even && std::fmod(v, 2.0) != 0.0);
  if (!inside) throw UsageError(fmt::format("{} = {}: must be {}", where(owner, f), token, range_words(r)));
}

std::int64_t integer(std::string_view owner, const Field& f, std::string_view token) {
  const std::int64_t v = parse_integer(where(owner, f), token);
  check(owner, f, static_cast<double>(v), token);
  return v;
}
double number(std::string_view owner, const Field& f, std::string_view token) {
  const double v = parse_number(where(owner, f), token);
  check(owner, f, v, token);
  return v;
}

}  // namespace

double parse_number(std::string_view where, std::string_view token) {
  const char *first = token.data(), *last = first + token.size();
  double v = 0;
  const auto [end, status] = std::from_chars(first, last, v);
  double scale = 1;
  const char* rest = end;
  if (status == std::errc{} && rest + 1 == last && suffix_scale(*rest) > 0) scale = suffix_scale(*rest++);
  if (status != std::errc{} || rest != last || !std::isfinite(v * scale))
    throw UsageError(fmt::format("{} = {}: must be a finite number", where, token));
  return v * scale;
}

std::int64_t parse_integer(std::string_view where, std::string_view token) {
  const char *first = token.data(), *last = first + token.size();
  std::int64_t whole = 0;
  const auto [end, status] = std::from_chars(first, last, whole);
  if (status == std::errc{} && end == last) return whole;
  const double v = parse_number(where, token);
  if (v != std::floor(v) || std::abs(v) > 0x1p53)
    throw UsageError(fmt::format("{} = {}: must be an integer within +-2^53", where, token));
  return static_cast<std::int64_t>(v);
}

void set(std::string_view owner, Field& f, std::string_view token) {
  const auto number_list = [&](std::vector<double>* list) {
    list->clear();
    for (std::string_view rest = token;;) {
      const auto slash = rest.find('/');
      list->push_back(number(owner, f, rest.substr(0, slash)));
      if (slash == std::string_view::npos) break;
      rest.remove_prefix(slash + 1);
    }
  };
  const auto boolean = [&](bool* b) {
    if (token != "true" && token != "false" && token != "1" && token != "0")
      throw UsageError(fmt::format("{} = {}: must be true or false", where(owner, f), token));
    *b = token == "true" || token == "1";
  };
  const auto pick = [&](Choice& c) {
    const auto at = std::find(c.names.begin(), c.names.end(), token);
    if (at == c.names.end())
      throw UsageError(fmt::format("{} = {}: must be one of {}", where(owner, f), token, fmt::join(c.names, ", ")));
    c.set(static_cast<int>(at - c.names.begin()));
  };
  const auto word = [&](std::string* s) {
    if (token.empty()) throw UsageError(fmt::format("{}: must not be empty", where(owner, f)));
    *s = token;
  };
  std::visit(overload{boolean, word, number_list, pick, [&](std::int64_t* i) { *i = integer(owner, f, token); },
                      [&](double* d) { *d = number(owner, f, token); },
                      [&](std::optional<std::int64_t>* i) { *i = integer(owner, f, token); },
                      [&](std::optional<double>* d) { *d = number(owner, f, token); }},
             f.slot);
  f.given = true;
}

std::string number_text(double value) {
  char buffer[32];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  return {buffer, end};
}

std::string text(const Field& f) {
  return std::visit(overload{[](const bool* b) -> std::string { return *b ? "true" : "false"; },
                             [](const std::int64_t* i) { return std::to_string(*i); },
                             [](const double* d) { return number_text(*d); }, [](const std::string* s) { return *s; },
                             [](const std::vector<double>* list) {
                               std::string out;
                               for (const double v : *list) out += (out.empty() ? "" : "/") + number_text(v);
                               return out;
                             },
                             [](const Choice& c) { return std::string(c.names[static_cast<std::size_t>(c.get())]); },
                             [](const std::optional<std::int64_t>* i) { return *i ? std::to_string(**i) : ""; },
                             [](const std::optional<double>* d) { return *d ? number_text(**d) : ""; }},
                    f.slot);
}

std::string type_words(const Field& f) {
  return std::visit(overload{[](const bool*) -> std::string { return "true|false"; },
                             [](const std::int64_t*) -> std::string { return "integer"; },
                             [](const double*) -> std::string { return "number"; },
                             [](const std::string*) -> std::string { return "text"; },
                             [](const std::vector<double>*) -> std::string { return "numbers a/b/c"; },
                             [](const Choice& c) { return fmt::format("{}", fmt::join(c.names, "|")); },
                             [](const std::optional<std::int64_t>*) -> std::string { return "integer"; },
                             [](const std::optional<double>*) -> std::string { return "number"; }},
                    f.slot);
}

std::string range_words(const Range& r) {
  std::vector<std::string> parts;
  if (std::isfinite(r.low)) parts.push_back(fmt::format("{} {}", r.open_low ? ">" : ">=", number_text(r.low)));
  if (std::isfinite(r.high)) parts.push_back(fmt::format("{} {}", r.open_high ? "<" : "<=", number_text(r.high)));
  if (r.even) parts.push_back("even");
  return fmt::format("{}", fmt::join(parts, ", "));
}

void reject(std::string_view owner, std::string_view name, std::string_view value, std::string_view rule) {
  throw UsageError(fmt::format("{}: {} = {}: {}", owner, name, value, rule));
}
void reject(std::string_view owner, const Field& f, std::string_view rule) { reject(owner, f.name, text(f), rule); }

Field* find(Fields& fields, std::string_view name) {
  const auto at = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name; });
  return at == fields.end() ? nullptr : &*at;
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  std::vector<std::size_t> row;
  for (const auto name : names) {
    row.resize(name.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= word.size(); ++i) {
      std::size_t diagonal = row[0]++;
      for (std::size_t j = 1; j <= name.size(); ++j) {
        const std::size_t change = diagonal + (word[i - 1] != name[j - 1]);
        diagonal = row[j];
        row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
      }
    }
    if (row.back() < least) least = row.back(), best = name;
  }
  return best;
}

void unknown(std::string_view kind, std::string_view word, std::span<const std::string_view> names) {
  const auto near = nearest(word, names);
  throw UsageError(near.empty() ? fmt::format("unknown {} '{}'", kind, word)
                                : fmt::format("unknown {} '{}': did you mean '{}'?", kind, word, near));
}

}  // namespace posenc
