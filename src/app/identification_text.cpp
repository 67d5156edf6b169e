#include "app/identification.hpp"
#include "app/identification_candidates.hpp"
#include "app/table.hpp"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using model::Index;

constexpr std::size_t listed = 3;

bool is_vector(const Explanation& e) { return e.layout.empty(); }

std::string place(const Explanation& e, Index row, Index column) {
  if (is_vector(e)) return fmt::format("pair {}", row);
  const model::Pos position = e.start + e.step * row;
  return position == row ? fmt::format("row {}, column {}", row, column)
                         : fmt::format("row {} (position {}), column {}", row, position, column);
}

std::string rows_word(const Explanation& e) { return is_vector(e) ? "pairs" : "rows"; }

std::string amplitude_word(const Explanation& e) {
  if (e.amplitude == 1) return {};
  const std::string number = readable(e.amplitude);
  return " times " + (e.amplitude_words.empty() ? number_text(e.amplitude) : fmt::format("{} = {}", e.amplitude_words, number));
}

std::string positions_word(const Explanation& e) {
  return e.step > 0 ? fmt::format("first row is position {}", e.start)
                    : fmt::format("first row is position {}, falling by one a row", e.start);
}

std::string verdict(const Identification& found) {
  if (found.explanations.empty()) return "none of those known" + (found.why.empty() ? "" : ": " + found.why);
  const Explanation& best = found.explanations.front();
  const std::string word = encoding_word(best) + amplitude_word(best);
  if (best.explains) return word;
  if (2 * best.agreeing >= best.count)
    return fmt::format("nearly {}: {} of {} {} agree, the first that does not at {}", word, best.agreeing, best.count,
                       rows_word(best), place(best, (*best.first)[0], (*best.first)[1]));
  const std::string why = is_vector(best)   ? ""
                          : found.sinusoids ? ": sinusoids of frequencies that follow no law known"
                                            : ": no sinusoids";
  return fmt::format("none of those known{}; nearest {}", why, word);
}

std::string departs(const Explanation& e) { return e.first ? place(e, (*e.first)[0], (*e.first)[1]) : "-"; }

}  // namespace

std::string encoding_word(const Explanation& e) { return encoding_word(model::Proposal{e.spec, e.in_use, {}}); }

std::string text(const Identification& found, const std::string& name) {
  std::string out = fmt::format("{}: {}\n  {}, stored as {}\n", name, verdict(found), found.kind, found.stored);
  if (found.explanations.empty()) return out;
  const Explanation& best = found.explanations.front();
  if (!is_vector(best)) out += fmt::format("  {}, {}\n", best.layout, positions_word(best));
  if (found.amplitude && std::abs(*found.amplitude - 1) > 1e-3)
    out += fmt::format("  amplitude {}\n", readable(*found.amplitude));
  const bool followed = 2 * best.agreeing >= best.count;
  if (followed) out += fmt::format("  {}\n", best.precision);
  if (!found.sinusoids && !is_vector(best))
    out += fmt::format("  the nearest explains {} of the variance\n", readable(found.variance_explained));
  if (followed && !best.note.empty()) out += fmt::format("  {}\n", best.note);
  for (const std::string& word : best.also) out += fmt::format("  also {}\n", word);
  TextTable table({"  explanation", "residual", "largest at", "departs at", "agree"});
  for (std::size_t i = 0; i < found.explanations.size() && i < listed; ++i) {
    const Explanation& e = found.explanations[i];
    table.add({"  " + encoding_word(e) + amplitude_word(e), readable(e.residual),
               e.residual == 0 ? "-" : place(e, e.row, e.column), departs(e),
               fmt::format("{} of {} {}", e.agreeing, e.count, rows_word(e))});
  }
  return out + table.text();
}

std::string json(const Identification& found) {
  using nlohmann::ordered_json;
  ordered_json out{{"verdict", verdict(found)}, {"known", found.known()}, {"kind", found.kind}, {"stored", found.stored}};
  out["precision"] = found.precision();
  out["amplitude"] = found.amplitude ? ordered_json(*found.amplitude) : ordered_json();
  if (!found.sinusoids && !found.explanations.empty() && !is_vector(found.explanations.front()))
    out["variance_explained"] = found.variance_explained;
  out["explanations"] = ordered_json::array();
  for (const Explanation& e : found.explanations) {
    ordered_json values = ordered_json::object();
    for (const auto& [key, value] : e.spec.values) values[key] = value;
    ordered_json one{{"encoding", encoding_word(model::Proposal{e.spec, 0, {}})}, {"scheme", e.spec.scheme}, {"values", values}};
    if (e.in_use) one["at"] = e.in_use;
    if (e.explains && !e.note.empty()) one["note"] = e.note;
    one["also"] = e.also;
    if (!is_vector(e)) {
      one.update({{"layout", e.layout}, {"start", e.start}, {"step", e.step}, {"amplitude", e.amplitude}});
      if (!e.amplitude_words.empty()) one["amplitude_words"] = e.amplitude_words;
    }
    one["precision"] = e.precision, one["explains"] = e.explains, one["residual"] = e.residual;
    one[is_vector(e) ? "pair" : "row"] = e.row;
    if (!is_vector(e)) one["column"] = e.column;
    one["departs"] = e.first ? is_vector(e) ? ordered_json{{"pair", (*e.first)[0]}}
                                            : ordered_json{{"row", (*e.first)[0]}, {"column", (*e.first)[1]}}
                             : ordered_json();
    one["agreeing"] = e.agreeing, one["count"] = e.count;
    out["explanations"].push_back(std::move(one));
  }
  return out.dump(2);
}

}  // namespace posenc::app
