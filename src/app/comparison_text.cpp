#include "app/comparison.hpp"
#include "app/table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using model::ArrayDifference;
using model::Place;

const char* word(Agreement a) {
  return a == Agreement::same ? "same" : a == Agreement::layout ? "same kernel in another layout" : "different";
}

std::string words(const Place& place) {
  std::string out;
  for (const auto& [name, value] : place) out += fmt::format("{}{} {}", out.empty() ? "" : ", ", name, value);
  return out;
}

/// "channel 0 1 2 .." -> the first few and how many there are.
std::string order_words(const std::vector<model::Index>& order) {
  constexpr std::size_t shown = 8;
  const std::vector<model::Index> some(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(std::min(shown, order.size())));
  return fmt::format("{}{}", fmt::join(some, " "), order.size() > shown ? fmt::format(" .. ({} channels)", order.size()) : "");
}

nlohmann::ordered_json json_of(const Place& place) {
  nlohmann::ordered_json out = nlohmann::ordered_json::object();
  for (const auto& [name, value] : place) out[name] = value;
  return out;
}

}  // namespace

std::string text(const Comparison& c, double tolerance) {
  std::string out = fmt::format("{} and {}: {} (positions {} to {}, in use at {} tokens)\n", c.first, c.second, word(c.agreement),
                                c.first_position, c.last_position, c.in_use);
  if (!c.layout.empty()) out += fmt::format("  layout: {}\n  channel of {} for each channel of {}: {}\n", c.layout, c.second, c.first, order_words(c.order));
  TextTable table({"  array", "largest difference", "at", "first beyond " + readable(tolerance)});
  for (const ArrayDifference& d : c.arrays)
    table.add({"  " + d.variable, d.mismatch.empty() ? readable(d.largest) : d.mismatch, d.largest > 0 ? words(d.where) : "-",
               d.first ? words(*d.first) : "-"});
  if (!c.arrays.empty()) out += table.text();
  for (const std::string& note : c.notes) out += fmt::format("  {}\n", note);
  return out;
}

std::string json(const std::vector<Comparison>& all, double tolerance) {
  nlohmann::ordered_json out{{"tolerance", tolerance}, {"comparisons", nlohmann::ordered_json::array()}};
  for (const Comparison& c : all) {
    nlohmann::ordered_json one{{"first", c.first}, {"second", c.second}, {"agreement", word(c.agreement)}, {"first_position", c.first_position}, {"last_position", c.last_position}, {"in_use", c.in_use}, {"layout", nullptr},
                               {"channel_order", c.order}, {"arrays", nlohmann::ordered_json::array()}, {"notes", c.notes}};
    if (!c.layout.empty()) one["layout"] = c.layout;
    for (const ArrayDifference& d : c.arrays) {
      nlohmann::ordered_json a{{"variable", d.variable}, {"largest", nullptr}, {"at", json_of(d.where)}, {"first", nullptr}, {"mismatch", nullptr}};
      if (std::isfinite(d.largest) && d.mismatch.empty()) a["largest"] = d.largest;
      if (d.first) a["first"] = json_of(*d.first);
      if (!d.mismatch.empty()) a["mismatch"] = d.mismatch;
      one["arrays"].push_back(std::move(a));
    }
    out["comparisons"].push_back(std::move(one));
  }
  return out.dump(2);
}

}  // namespace posenc::app
