#include "app/published/report.hpp"

#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

/// Seven significant digits; as many as it takes where both would look alike and are not.
std::string shown(double x) { return std::isnan(x) ? "-" : fmt::format("{:.7g}", x); }

std::string verdict_text(const Judged& j) {
  const Style style = j.verdict == Verdict::met ? Style::good : j.verdict == Verdict::differs ? Style::doubtful : Style::bad;
  return styled(style, word_of(j.verdict));
}

json number(double v) { return std::isfinite(v) ? json(v) : std::isnan(v) ? json() : json(v > 0 ? "inf" : "-inf"); }

json where_json(const Where& where) {
  if (const auto* x = std::get_if<double>(&where)) return *x;
  if (const auto* word = std::get_if<std::string>(&where)) return *word;
  const auto& range = std::get<CoordinateRange>(where);
  return {{"from", number(range.from)}, {"below", number(range.below)}};
}

json operand_json(const Operand& o) {
  json options = json::object(), at = json::object();
  for (const auto& [name, value] : o.options) options[name] = value;
  for (const auto& [name, where] : o.at) at[name] = where_json(where);
  return {{"analysis", o.analysis},
          {"encoding", o.encoding},
          {"options", options},
          {o.attribute ? "attribute" : "variable", o.variable},
          {"at", at}};
}

json truth_json(const TruthTable& t) {
  json rows = json::array();
  for (const TruthRow& row : t.rows) {
    json measures = json::object();
    for (const std::string& name : t.measures) {
      json values = json::array();
      for (const double v : row.measures.at(name)) values.push_back(number(v));
      measures[name] = values;
    }
    rows.push_back({{"scheme", row.unit.scheme},
                    {"variant", row.unit.variant},
                    {"family", row.unit.family},
                    {"encoding", row.unit.encoding},
                    {"excess", row.excess},
                    {"measures", measures}});
  }
  json correlations = json::object();
  for (const std::string& name : t.measures)
    for (const double f : t.factors) correlations[name].push_back(number(spearman(t, name, f)));
  return {{"factors", t.factors}, {"spearman", correlations}, {"encodings", rows}};
}

/// As a cell of a table in Markdown.
std::string cell(std::string text) {
  for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, "\\");
  return text;
}

}  // namespace

Tally tally(const std::vector<JudgedPaper>& papers) {
  Tally out;
  for (const JudgedPaper& p : papers)
    for (const Judged& j : p.judged)
      ++(j.verdict == Verdict::met ? out.met : j.verdict == Verdict::differs ? out.differs : out.failed);
  return out;
}

std::string reproduction_text(const std::vector<JudgedPaper>& papers, bool quiet) {
  std::string out;
  for (const JudgedPaper& p : papers) {
    TextTable table({"number", "published", "ours", "tolerance", "verdict"});
    std::string reasons;
    for (std::size_t i = 0; i < p.judged.size(); ++i) {
      const PublishedNumber& n = p.paper.numbers[i];
      const Judged& j = p.judged[i];
      if (quiet && j.verdict != Verdict::failed) continue;
      table.add({n.name, shown(n.value), shown(j.ours), n.tolerance, verdict_text(j)});
      if (!j.reason.empty()) reasons += wrapped(fmt::format("{}: {}: {}", n.name, word_of(j.verdict), j.reason), 110, 2);
    }
    if (quiet && reasons.empty()) continue;
    out += styled(Style::bold, fmt::format("{}: {}", p.paper.stem, p.paper.title)) + " (" + p.paper.source + ")\n" +
           table.text() + reasons;
    if (p.truth && !quiet) out += "\n" + truth_text(*p.truth);
    out += "\n";
  }
  const Tally t = tally(papers);
  return out + fmt::format("{} numbers: {} met, {} differ for a known reason, {} failed\n", t.all(), t.met, t.differs, t.failed);
}

std::string reproduction_json(const std::vector<JudgedPaper>& papers, const std::string& output) {
  json list = json::array();
  for (const JudgedPaper& p : papers) {
    json results = json::array();
    for (std::size_t i = 0; i < p.judged.size(); ++i) {
      const PublishedNumber& n = p.paper.numbers[i];
      const Judged& j = p.judged[i];
      json one{{"name", n.name},
               {"class", word_of(n.kind)},
               {"ours_of", operand_json(n.ours)},
               {"published", number(n.value)},
               {"ours", number(j.ours)},
               {"low", number(n.low)},
               {"high", number(n.high)},
               {"verdict", word_of(j.verdict)},
               {"source", n.source}};
      if (n.against) one["against"] = operand_json(*n.against);
      if (!j.reason.empty()) one["reason"] = j.reason;
      if (!n.note.empty()) one["note"] = n.note;
      results.push_back(one);
    }
    json paper{{"name", p.paper.stem}, {"title", p.paper.title}, {"source", p.paper.source}, {"results", results}};
    if (p.truth) paper["truth"] = truth_json(*p.truth);
    list.push_back(paper);
  }
  const Tally t = tally(papers);
  const json all{{"command", "reproduce"}, {"output", output.empty() ? json() : json(output)},
                 {"papers", list},         {"met", t.met},
                 {"differs", t.differs},   {"failed", t.failed}};
  return all.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

std::string reproduction_markdown(const std::vector<JudgedPaper>& papers) {
  std::string out = "| result | published | ours | verdict |\n|---|---|---|---|\n";
  for (const JudgedPaper& p : papers)
    for (std::size_t i = 0; i < p.judged.size(); ++i) {
      const PublishedNumber& n = p.paper.numbers[i];
      const Judged& j = p.judged[i];
      if (!n.main) continue;
      const std::string verdict =
          j.reason.empty() ? std::string(word_of(j.verdict)) : cell(fmt::format("{}: {}", word_of(j.verdict), j.reason));
      out += fmt::format("| {}: {} | {} | {} | {} |\n", p.paper.title, cell(n.name),
                         std::isnan(n.value) ? n.tolerance : shown(n.value), shown(j.ours), verdict);
    }
  return out;
}

}  // namespace posenc::app
