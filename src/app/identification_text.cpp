#include "app/identification.hpp"
#include "app/table.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

std::string encoding_word(const model::EncodingSpec& spec) {
  std::string out = spec.scheme;
  for (const auto& [key, value] : spec.values) out += fmt::format("{}{}={}", out == spec.scheme ? ":" : ",", key, value);
  return out;
}

std::string place(const Explanation& e) {
  if (e.residual == 0) return "-";
  return e.layout.empty() ? fmt::format("pair {}", e.row) : fmt::format("position {}, column {}", e.start + e.row, e.column);
}

}  // namespace

std::string text(const Identification& found, const std::string& name) {
  std::string out = fmt::format("{}: {}, stored as {}\n", name, found.kind, found.stored);
  if (found.explanations.empty()) return out + "none of the schemes known\n";
  const Explanation& best = found.explanations.front();
  if (!found.known) out += fmt::format("none of the schemes known; the nearest departs at {}\n", place(best));
  if (found.known) {
    out += fmt::format("{}\n", encoding_word(best.spec));
    if (!best.layout.empty()) out += fmt::format("  {}, first row is position {}\n", best.layout, best.start);
    out += fmt::format("  {}\n", found.precision);
  }
  TextTable table({"  explanation", "residual", "at"});
  for (std::size_t i = 0; i < found.explanations.size() && i < 3; ++i) {
    const Explanation& e = found.explanations[i];
    table.add({"  " + encoding_word(e.spec), readable(e.residual), place(e)});
  }
  return out + table.text();
}

std::string json(const Identification& found) {
  nlohmann::ordered_json out{{"kind", found.kind}, {"stored", found.stored}, {"known", found.known},
                             {"precision", found.precision}, {"amplitude", found.attention_factor}, {"explanations", nlohmann::ordered_json::array()}};
  for (const Explanation& e : found.explanations) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (const auto& [key, value] : e.spec.values) values[key] = value;
    out["explanations"].push_back({{"encoding", encoding_word(e.spec)}, {"scheme", e.spec.scheme}, {"values", values}, {"layout", e.layout},
                                   {"start", e.start}, {"residual", e.residual}, {"row", e.row}, {"column", e.column}});
  }
  return out.dump(2);
}

}  // namespace posenc::app
