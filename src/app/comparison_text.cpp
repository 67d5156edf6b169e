#include "app/comparison.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using model::ArrayDifference;
using model::Index;
using model::Place;
using nlohmann::ordered_json;

const char* word(Agreement a) {
  return a == Agreement::same ? "same" : a == Agreement::layout ? "same kernel in another layout" : "different";
}

std::string words(const Place& place) {
  std::string out;
  for (const auto& [name, value] : place) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, value);
  return out;
}

/// Numbers that rise by one step as "0 2 .. 62", runs behind each other; nothing where that takes more than `most` runs.
std::optional<std::string> runs(const std::vector<Index>& list, std::size_t most) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < list.size();) {
    std::size_t end = i + 1;
    while (end < list.size() && list[end] - list[end - 1] == list[i + 1] - list[i]) ++end;
    if (end - i < 4) end = i + 1;
    out.push_back(end == i + 1 ? fmt::format("{}", list[i]) : fmt::format("{} {} .. {}", list[i], list[i + 1], list[end - 1]));
    if (out.size() > most) return {};
    i = end;
  }
  return fmt::format("{}", fmt::join(out, ", "));
}

/// The whole order in few words where it has a rule, else its first channels.
std::string order_words(const std::vector<Index>& order) {
  constexpr std::size_t most = 8;
  if (order.size() <= 2 * most) return fmt::format("{}", fmt::join(order, " "));
  if (const auto whole = runs(order, most)) return *whole;
  std::vector<Index> even, odd;
  for (std::size_t i = 0; i < order.size(); ++i) (i % 2 == 0 ? even : odd).push_back(order[i]);
  const auto a = runs(even, most / 2), b = runs(odd, most / 2);
  if (a && b) return fmt::format("even channels {}; odd channels {}", *a, *b);
  const std::vector<Index> some(order.begin(), order.begin() + most);
  return fmt::format("{} .. ({} channels; all of them with --json)", fmt::join(some, " "), order.size());
}

/// Which rows of the weights the order is for.
std::string weight_words(const sources::AttentionHeads& heads) {
  if (!heads.query || !heads.key) return "";
  const auto many = [](model::Pos n) { return fmt::format("{} head{}", n, n == 1 ? "" : "s"); };
  if (heads.before > 0)
    return fmt::format("  in the weights: of each of {} of W_q the rows behind the first {}, of W_k those once for all heads\n",
                       many(*heads.query), heads.before);
  return fmt::format("  in the weights: the rows of each of {} of W_q and of each of {} of W_k\n", many(*heads.query),
                     many(*heads.key));
}

std::string growth_words(const Growth& g) {
  return fmt::format(
      "{}: frequencies at {} tokens are not those at {}: a key cached at position {} is off by up to {:.3g} of a turn, so scores "
      "do not stay relative while a sequence grows",
      g.label, g.in_use, g.trained, g.trained, g.turns);
}

/// Heads of either, the second's where the first has none.
const sources::AttentionHeads& heads_of(const LayerMatch& layers) {
  return layers.heads_first.query ? layers.heads_first : layers.heads_second;
}

ordered_json json_of(const Place& place) {
  ordered_json out = ordered_json::object();
  for (const auto& [name, value] : place) out[name] = value;
  return out;
}
ordered_json json_of(const std::optional<model::Pos>& n) { return n ? ordered_json(*n) : ordered_json(nullptr); }

ordered_json json_of(const ArrayDifference& d) {
  ordered_json a{{"variable", d.variable}, {"largest", nullptr},  {"at", json_of(d.where)},
                 {"first", nullptr},       {"mismatch", nullptr}, {"compared", d.looked.empty() ? "all" : d.looked}};
  if (std::isfinite(d.largest) && d.mismatch.empty()) a["largest"] = d.largest;
  if (d.first) a["first"] = json_of(*d.first);
  if (!d.mismatch.empty()) a["mismatch"] = d.mismatch;
  return a;
}

ordered_json json_of(const Comparison& c) {
  ordered_json one{{"first", c.first},
                   {"second", c.second},
                   {"agreement", word(c.agreement)},
                   {"first_position", c.first_position},
                   {"last_position", c.last_position},
                   {"in_use", c.in_use},
                   {"table_ends", c.table_ends},
                   {"counted_as_equal", c.stored},
                   {"columns", nullptr},
                   {"layout", nullptr},
                   {"channel_order", c.order},
                   {"rounding", nullptr},
                   {"arrays", ordered_json::array()},
                   {"growth", ordered_json::array()},
                   {"notes", c.notes}};
  if (!c.columns.empty()) one["columns"] = c.columns;
  if (!c.layout.empty()) one["layout"] = c.layout;
  if (c.rounded) one["rounding"] = *c.rounded;
  for (const ArrayDifference& d : c.arrays) one["arrays"].push_back(json_of(d));
  for (const Growth& g : c.growth)
    one["growth"].push_back(
        {{"label", g.label}, {"trained", g.trained}, {"in_use", g.in_use}, {"turns", g.turns}, {"meaning", growth_words(g)}});
  return one;
}

ordered_json json_of(const LayerMatch& layers) {
  const auto heads = [](const sources::AttentionHeads& h) {
    return ordered_json{{"query", json_of(h.query)}, {"key", json_of(h.key)}, {"channels_before", h.before}};
  };
  ordered_json out{
      {"agreement", layers.different()                ? "different"
                    : !layers.first || !layers.second ? "not known"
                    : layers.namesakes                ? "same"
                                                      : "by encoding"},
      {"first", json_of(layers.first)},
      {"second", json_of(layers.second)},
      {"first_difference", nullptr},
      {"unmatched", layers.unmatched},
      {"heads", {{"first", heads(layers.heads_first)}, {"second", heads(layers.heads_second)}}},
      {"context_length",
       {{"first", json_of(layers.limits_first.positions)}, {"second", json_of(layers.limits_second.positions)}}},
      {"sliding_window", {{"first", json_of(layers.limits_first.window)}, {"second", json_of(layers.limits_second.window)}}}};
  if (layers.gap)
    out["first_difference"] = {{"layer", layers.gap->layer}, {"first", layers.gap->first}, {"second", layers.gap->second}};
  return out;
}

}  // namespace

std::string text(const Comparison& c, const LayerMatch& layers, double tolerance) {
  std::string out = fmt::format("{} and {}: {}{} (positions {} to {}{}, in use at {} tokens)\n", c.first, c.second,
                                word(c.agreement), c.rounded ? ", to the rounding of a file's float32" : "", c.first_position,
                                c.last_position, c.table_ends ? ": the table has no more" : "", c.in_use);
  if (!c.columns.empty()) out += fmt::format("  the table's columns are read as {}\n", c.columns);
  if (c.rounded) out += fmt::format("  largest relative difference of frequencies and attention factors: {:.3g}\n", *c.rounded);
  if (!c.layout.empty()) {
    out += fmt::format("  layout: {}\n  channel of {} for each channel of {}: {}\n", c.layout, c.second, c.first,
                       order_words(c.order));
    out += weight_words(heads_of(layers));
  }
  TextTable table({"  array", "largest difference", "at", "first beyond " + readable(tolerance)});
  for (const ArrayDifference& d : c.arrays)
    table.add({"  " + d.variable, d.mismatch.empty() ? readable(d.largest) : d.mismatch, d.largest > 0 ? words(d.where) : "-",
               d.first ? words(*d.first) : "-"});
  if (!c.arrays.empty()) out += table.text();
  if (c.stored > 0)
    out += fmt::format(
        "  first beyond: frequencies and attention factors within {:.3g} of each other, relative, count as equal\n", c.stored);
  for (const ArrayDifference& d : c.arrays)
    if (!d.looked.empty()) out += fmt::format("  {}: compared in {}\n", d.variable, d.looked);
  for (const Growth& g : c.growth) out += fmt::format("  {}\n", growth_words(g));
  for (const std::string& note : c.notes) out += fmt::format("  {}\n", note);
  return out;
}

std::string text(const LayerMatch& layers) {
  if (!layers.models) return "";
  std::string out;
  if (layers.first && layers.second && *layers.first != *layers.second)
    out += fmt::format("layers: {} against {}\n", *layers.first, *layers.second);
  else if (layers.first && layers.second && !layers.gap && layers.unmatched.empty())
    out +=
        fmt::format("layers: {} in both, {}\n", *layers.first,
                    layers.namesakes ? "each of a type of the same name" : "the types that meet in a layer are compared above");
  else if (!layers.first || !layers.second)
    out += fmt::format("layers: {} which layer is of which type\n", layers.first    ? "the second file does not say"
                                                                    : layers.second ? "the first file does not say"
                                                                                    : "neither file says");
  if (layers.gap)
    out += fmt::format("layer {} is {} in the first and {} in the second\n", layers.gap->layer, printable(layers.gap->first),
                       printable(layers.gap->second));
  for (const std::string& line : layers.unmatched) out += printable(line) + "\n";
  const auto heads = [&](const char* what, const std::optional<model::Pos>& a, const std::optional<model::Pos>& b) {
    if (a && b && *a != *b)
      out +=
          fmt::format("{} heads: {} against {}; encodings that are the same in every head do not depend on it\n", what, *a, *b);
  };
  const auto limit = [&](const char* what, const std::optional<model::Pos>& a, const std::optional<model::Pos>& b) {
    const auto word = [](const std::optional<model::Pos>& n) { return n ? std::to_string(*n) : "none"; };
    if (a != b) out += fmt::format("{}: {} against {}; no part of the verdict\n", what, word(a), word(b));
  };
  limit("context length", layers.limits_first.positions, layers.limits_second.positions);
  limit("sliding window", layers.limits_first.window, layers.limits_second.window);
  heads("query", layers.heads_first.query, layers.heads_second.query);
  heads("key", layers.heads_first.key, layers.heads_second.key);
  return out;
}

std::string json(const std::vector<Comparison>& all, const LayerMatch& layers, double tolerance) {
  ordered_json out{{"tolerance", tolerance}, {"comparisons", ordered_json::array()}, {"layers", nullptr}};
  for (const Comparison& c : all) out["comparisons"].push_back(json_of(c));
  if (layers.models) out["layers"] = json_of(layers);
  return out.dump(2);
}

}  // namespace posenc::app
