#include "app/published/list.hpp"

#include "core/error.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

namespace posenc::app {
namespace {

using Names = std::vector<std::string_view>;
constexpr std::array<std::string_view, 4> kinds{"exact", "published", "seed", "solver"};
constexpr std::array<std::string_view, 4> combines{"none", "difference", "ratio", "relative-difference"};
constexpr std::array<std::string_view, 12> reductions{"one",    "max", "min",   "argmax", "argmin", "mean",
                                                      "median", "sum", "count", "first",  "last",   "spearman"};

/// One table of a file, read strictly.
class Reader {
 public:
  Reader(const toml::table& table, std::string file, const Names& known) : table_(table), file_(std::move(file)) {
    for (const auto& [key, node] : table)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        refuse(node, fmt::format("unknown key '{}'", key.str()));
  }

  [[noreturn]] void refuse(const toml::node& node, const std::string& rule) const {
    throw BadData(fmt::format("{}:{}: {}", file_, node.source().begin.line, rule));
  }
  [[noreturn]] void refuse(const std::string& rule) const { refuse(table_, rule); }

  const toml::node* node(std::string_view key) const { return table_.get(key); }
  /// The key's value as text, its element `i` where it is a list; empty where it is absent.
  std::string text(std::string_view key, std::size_t i = 0) const { return table_.get(key) ? text_of(*table_.get(key), i) : ""; }
  std::string text_of(const toml::node& all, std::size_t i = 0) const {
    const toml::node& n = element(all, i);
    if (const auto s = n.value_exact<std::string>()) return *s;
    if (const auto k = n.value_exact<std::int64_t>()) return std::to_string(*k);
    if (const auto x = n.value_exact<double>()) return number_text(*x);
    if (const auto b = n.value_exact<bool>()) return *b ? "true" : "false";
    refuse(n, "must be text, a number, true or false");
  }
  std::optional<double> number(std::string_view key, std::size_t i = 0) const {
    const toml::node* n = table_.get(key);
    return n ? std::optional(number_of(*n, i)) : std::nullopt;
  }
  double number_of(const toml::node& all, std::size_t i) const {
    const toml::node& n = element(all, i);
    const auto x = n.value<double>();
    if (!x || n.is_boolean()) refuse(n, "must be a number");
    return *x;
  }
  bool flag(std::string_view key, std::size_t i = 0) const {
    if (!table_.get(key)) return false;
    const toml::node& n = element(*table_.get(key), i);
    if (!n.is_boolean()) refuse(n, "must be true or false");
    return *n.value<bool>();
  }
  template <class Enum, std::size_t N>
  Enum word(std::string_view key, const std::array<std::string_view, N>& words, Enum otherwise) const {
    if (!table_.get(key)) return otherwise;
    const std::string given = text(key);
    const auto at = std::find(words.begin(), words.end(), given);
    if (at == words.end())
      refuse(*table_.get(key), fmt::format("{} = {}: must be one of {}", key, given, fmt::join(words, ", ")));
    return static_cast<Enum>(at - words.begin());
  }
  Reader inside(std::string_view key, const Names& known) const {
    const toml::table* t = table_.get(key) ? table_.get(key)->as_table() : nullptr;
    if (!t) refuse(fmt::format("{} must be a table", key));
    return {*t, file_, known};
  }
  const toml::table& table() const { return table_; }
  const std::string& file() const { return file_; }

 private:
  const toml::node& element(const toml::node& n, std::size_t i) const {
    const toml::array* list = n.as_array();
    if (!list) return n;
    if (i >= list->size()) refuse(n, "the list is shorter than the list of values");
    return *list->get(i);
  }
  const toml::table& table_;
  std::string file_;
};

Where where_of(const Reader& r, const toml::node& all, std::size_t i) {
  const toml::array* list = all.as_array();
  const toml::node& n = list && i < list->size() ? *list->get(i) : all;
  if (const toml::table* t = n.as_table()) {
    const Reader range(*t, r.file(), {"from", "below"});
    CoordinateRange out;
    return CoordinateRange{range.number("from").value_or(out.from), range.number("below").value_or(out.below)};
  }
  if (const auto s = n.value_exact<std::string>()) return *s;
  return r.number_of(all, i);
}

/// A table's keys with the values of element `i`; those that are lists are named in `varied`.
template <class Use>
void each_pair(const Reader& r, std::string_view key, std::vector<std::string>& varied, const Use& use) {
  const toml::node* n = r.node(key);
  if (!n) return;
  if (!n->as_table()) r.refuse(*n, fmt::format("{} must be a table", key));
  for (const auto& [name, value] : *n->as_table()) {
    if (value.is_array()) varied.emplace_back(name.str());
    use(std::string(name.str()), value);
  }
}

const Names operand_keys{"analysis", "encoding", "options", "variable", "attribute", "at"};

/// `inherited`: what is not given.
Operand operand_of(const Reader& r, std::size_t i, const Operand& inherited, std::vector<std::string>& varied) {
  Operand out = inherited;
  if (r.node("analysis")) out.analysis = r.text("analysis", i);
  if (r.node("encoding")) out.encoding = r.text("encoding", i);
  if (r.node("encoding") && r.node("encoding")->is_array()) varied.emplace_back(out.encoding);
  if (r.node("options")) out.options.clear();
  each_pair(r, "options", varied,
            [&](const std::string& name, const toml::node& n) { out.options.emplace_back(name, r.text_of(n, i)); });
  if (r.node("variable") && r.node("attribute")) r.refuse("variable and attribute exclude each other");
  if (r.node("variable")) out.variable = r.text("variable", i), out.attribute = false;
  if (r.node("attribute")) out.variable = r.text("attribute", i), out.attribute = true;
  if (r.node("at")) out.at.clear();
  each_pair(r, "at", varied, [&](const std::string& name, const toml::node& n) { out.at.emplace_back(name, where_of(r, n, i)); });
  return out;
}

/// Half a unit in the last of the significant digits that were printed.
double printed(double value, double digits) {
  return value == 0 ? 0 : 0.5 * std::pow(10, std::floor(std::log10(std::abs(value))) - digits + 1);
}

void set_bounds(const Reader& r, std::size_t i, PublishedNumber& out) {
  out.value = r.number("value", i).value_or(std::numeric_limits<double>::quiet_NaN());
  if (r.node("low") || r.node("high")) {
    if (r.node("tolerance") || r.node("relative") || r.node("digits")) r.refuse("low and high exclude a tolerance");
    constexpr double none = std::numeric_limits<double>::infinity();
    out.low = r.number("low", i).value_or(-none), out.high = r.number("high", i).value_or(none);
    out.tolerance = fmt::format("{:.4g} to {:.4g}", out.low, out.high);
    return;
  }
  if (!r.node("value")) r.refuse("value, or low and high, must be given");
  double off = r.number("tolerance", i).value_or(0) + r.number("relative", i).value_or(0) * std::abs(out.value);
  if (const auto digits = r.number("digits", i)) off += printed(out.value, *digits) * (1 + 1e-9);
  out.low = out.value - off, out.high = out.value + off;
  out.tolerance = fmt::format("{:.2g}", off);
}

std::string varied_name(const Reader& r, std::size_t i, const std::vector<std::string>& varied, const Operand& o) {
  std::string out = r.text("name", i);
  if (r.node("name") && r.node("name")->is_array()) return out;
  for (const std::string& key : varied) {
    std::string value;
    for (const auto& [name, text] : o.options)
      if (name == key) value = text;
    for (const auto& [name, where] : o.at)
      if (name == key)
        value = std::holds_alternative<double>(where)        ? number_text(std::get<double>(where))
                : std::holds_alternative<std::string>(where) ? std::get<std::string>(where)
                                                             : "";
    out += value.empty() ? ", " + key : fmt::format(", {} = {}", key, value);
  }
  return out;
}

PublishedNumber number_of(const Reader& r, std::size_t i, const Operand& defaults) {
  PublishedNumber out;
  std::vector<std::string> varied, ignored;
  out.ours = operand_of(r, i, defaults, varied);
  out.name = varied_name(r, i, varied, out.ours);
  out.source = r.text("source", i);
  out.note = r.text("note", i);
  out.unmet = r.text("unmet", i);
  out.kind = r.word("class", kinds, NumberClass::exact);
  if (r.node("against")) out.against = operand_of(r.inside("against", operand_keys), i, out.ours, ignored);
  out.combine = r.word("combine", combines, Combine::none);
  if ((out.combine == Combine::none) == out.against.has_value()) r.refuse("against and combine belong together");
  out.magnitude = r.flag("magnitude");
  out.reduce = r.word("reduce", reductions, Reduce::one);
  out.above = r.number("above", i), out.below = r.number("below", i);
  const bool threshold = out.reduce == Reduce::count || out.reduce == Reduce::first || out.reduce == Reduce::last;
  if (threshold != (out.above.has_value() != out.below.has_value())) r.refuse("count, first and last take above or below");
  out.power = r.number("power", i).value_or(1), out.scale = r.number("scale", i).value_or(1);
  out.without = r.text("without", i);
  out.main = r.flag("main", i);
  set_bounds(r, i, out);
  if (out.name.empty() || out.ours.variable.empty()) r.refuse("name and variable must be given");
  return out;
}

std::size_t count_of(const Reader& r) {
  for (const char* key : {"value", "low", "high"})
    if (r.node(key) && r.node(key)->as_array()) return r.node(key)->as_array()->size();
  return 1;
}

Truth truth_of(const Reader& r) {
  Truth out{r.text("losses"), {}, {}};
  std::vector<std::string> ignored;
  each_pair(r, "options", ignored,
            [&](const std::string& name, const toml::node& n) { out.options.emplace_back(name, r.text_of(n)); });
  const toml::array* units = r.node("unit") ? r.node("unit")->as_array() : nullptr;
  for (std::size_t i = 0; units && i < units->size(); ++i) {
    const Reader u(*units->get(i)->as_table(), r.file(), {"scheme", "variant", "family", "encoding"});
    out.units.push_back({u.text("scheme"), u.text("variant"), u.text("family"), u.text("encoding")});
  }
  return out;
}

PublishedPaper read_file(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  toml::table table;
  try {
    table = toml::parse_file(path.string());
  } catch (const toml::parse_error& e) {
    throw BadData(fmt::format("{}:{}: {}", file, e.source().begin.line, e.description()));
  }
  const Reader all(table, file, {"title", "source", "default", "truth", "result"});
  PublishedPaper out{path.stem().string(), all.text("title"), all.text("source"), {}, {}};
  std::vector<std::string> ignored;
  Operand defaults;
  if (all.node("default")) defaults = operand_of(all.inside("default", operand_keys), 0, {}, ignored);
  if (all.node("truth")) out.truth = truth_of(all.inside("truth", {"losses", "options", "unit"}));
  const toml::array* results = all.node("result") ? all.node("result")->as_array() : nullptr;
  if (!results) all.refuse("no [[result]]");
  for (std::size_t k = 0; k < results->size(); ++k) {
    const toml::table* t = results->get(k)->as_table();
    if (!t) all.refuse(*results->get(k), "result must be a table");
    const Reader r(*t, file,
                   {"name",      "analysis",  "encoding", "options", "variable", "attribute", "at",      "against", "combine",
                    "magnitude", "reduce",    "above",    "below",   "power",    "scale",     "without", "value",   "low",
                    "high",      "tolerance", "relative", "digits",  "class",    "source",    "note",    "unmet",   "main"});
    for (std::size_t i = 0; i < count_of(r); ++i) {
      out.numbers.push_back(number_of(r, i, defaults));
      if (out.numbers.back().source.empty()) out.numbers.back().source = out.source;
    }
  }
  return out;
}

}  // namespace

std::vector<std::string> published_stems(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder, missing))
    if (entry.path().extension() == ".toml") out.push_back(entry.path().stem().string());
  if (missing) throw Error(Exit::no_input, fmt::format("{}: no such folder", folder));
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<PublishedPaper> read_published(const std::string& folder, const std::vector<std::string>& stems) {
  const std::vector<std::string> known = published_stems(folder);
  for (const auto& stem : stems)
    if (std::find(known.begin(), known.end(), stem) == known.end())
      unknown("published result", stem, std::vector<std::string_view>(known.begin(), known.end()));
  std::vector<PublishedPaper> out;
  for (const auto& stem : stems.empty() ? known : stems)
    out.push_back(read_file(std::filesystem::path(folder) / (stem + ".toml")));
  return out;
}

}  // namespace posenc::app
