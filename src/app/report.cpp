#include "app/report.hpp"

#include "app/provenance.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

json number(double v) { return std::isfinite(v) ? json(v) : std::isnan(v) ? json() : json(v > 0 ? "inf" : "-inf"); }

json measure_values(const Summary& summary, const Measure& m, std::size_t entry) {
  const auto values = summary.values(m, entry);
  const auto dims = summary.dims(m, entry);
  if (dims.empty()) return values.empty() ? json() : number(values.front());
  json out = json::array();
  for (const double v : values) out.push_back(number(v));
  return {{"dims", dims}, {"values", out}};
}

void print_json(const Summary& summary, const OutputChoice& output) {
  json encodings = json::array();
  const Work& work = summary.work();
  for (std::size_t e = 0; e < work.entries.size(); ++e) {
    json measures = json::object();
    for (const Measure& m : summary.measures())
      if (!summary.values(m, e).empty()) measures[m.analysis][m.variable] = measure_values(summary, m, e);
    const Entry& entry = work.entries[e];
    encodings.push_back({{"label", entry.spec.label},
                         {"scheme", entry.spec.scheme},
                         {"train_length", entry.scheme->train_length()},
                         {"measures", measures}});
  }
  json out{{"command", work.command}, {"output", output.output.empty() ? json() : json(output.output)}, {"encodings", encodings}};
  out["configuration"] = json::parse(configuration(work));
  std::fputs((out.dump(2, ' ', false, json::error_handler_t::replace) + "\n").c_str(), stdout);
}

void print_table(const Summary& summary) {
  const Work& work = summary.work();
  std::vector<const Measure*> columns;
  const auto shown = [&](const Measure& m) {
    for (std::size_t e = 0; e < work.entries.size(); ++e)
      if (!std::isnan(summary.headline(m, e))) return true;
    return false;
  };
  const auto take = [&](const Measure& m) {
    if (shown(m) && std::find(columns.begin(), columns.end(), &m) == columns.end()) columns.push_back(&m);
  };
  for (const auto name : telling_measures())
    for (const Measure& m : summary.measures())
      if (m.name == name) take(m);
  for (const Measure& m : summary.measures()) take(m);
  if (columns.empty()) return;
  std::vector<std::string> header{"encoding", "train_length"};
  for (const Measure* m : columns) header.push_back(m->name);
  TextTable table(header);
  for (std::size_t e = 0; e < work.entries.size(); ++e) {
    std::vector<std::string> row{work.entries[e].spec.label, std::to_string(work.entries[e].scheme->train_length())};
    for (const Measure* m : columns) row.push_back(readable(summary.headline(*m, e)));
    table.add(std::move(row));
  }
  std::fputs(table.text(terminal_width()).c_str(), stdout);
}

}  // namespace

void print_report(const Summary& summary, const OutputChoice& output, const Globals& globals) {
  if (output.output == "-") return;
  if (globals.json)
    print_json(summary, output);
  else if (!globals.quiet || output.output.empty())
    print_table(summary);
}

}  // namespace posenc::app
