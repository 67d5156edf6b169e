#include "app/dry_run.hpp"

#include "app/estimate.hpp"
#include "app/provenance.hpp"
#include "app/sizes.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "math/parallel.hpp"

#include <fmt/format.h>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

struct Group {
  std::string path;
  double bytes = 0;
  const Schema* schema = nullptr;
};

struct Needs {
  double total = 0, memory = 0, seconds = 0;
  std::optional<double> free;
};

std::string readable_seconds(double s) {
  if (s < 120) return fmt::format("{:.1f} s", s);
  if (s < 7200) return fmt::format("{:.0f} min", s / 60);
  return s < 172800 ? fmt::format("{:.1f} h", s / 3600) : fmt::format("{:.1f} days", s / 86400);
}

void print_json(const Work& work, const std::vector<Group>& groups, const Needs& needs, const OutputChoice& output) {
  json list = json::array();
  for (const Group& g : groups) {
    json skipped = json::object();
    for (const auto& [variable, reason] : g.schema->not_applicable) skipped[variable] = reason;
    list.push_back({{"path", g.path}, {"bytes", g.bytes}, {"variables", g.schema->vars.size()}, {"not_applicable", skipped}});
  }
  const json out{{"dry_run", true},
                 {"output", output.output.empty() ? json() : json(output.output)},
                 {"configuration", json::parse(configuration(work))},
                 {"command", canonical_command(work)},
                 {"groups", list},
                 {"bytes", needs.total},
                 {"peak_memory_bytes", needs.memory},
                 {"estimated_seconds", needs.seconds},
                 {"threads", math::threads()},
                 {"free_bytes", needs.free ? json(*needs.free) : json()}};
  std::fputs((out.dump(2, ' ', false, json::error_handler_t::replace) + "\n").c_str(), stdout);
}

std::string values_text(const Fields& fields) {
  std::string out;
  for (const Field& f : fields) out += fmt::format("{}{}={}", out.empty() ? "" : " ", f.name, text(f));
  return out;
}

/// Every value of the work, derived ones too.
std::string configuration_text(const Work& work) {
  std::vector<std::pair<std::string, std::string>> items{{"command", canonical_command(work)}};
  for (const auto& e : work.entries)
    items.emplace_back(e.spec.label, fmt::format("{}: {}", e.spec.scheme, values_text(e.scheme->fields())));
  model::Request request = resolved(work.request);
  items.emplace_back("request", values_text(request.fields()));
  for (const auto& a : work.analyses) {
    const std::string values = values_text(a->fields());
    if (!values.empty()) items.emplace_back(fmt::format("analysis {}", a->info().name), values);
  }
  return definition_list(items, terminal_width(), 0);
}

void print_text(const Work& work, const std::vector<Group>& groups, const Needs& needs, const OutputChoice& output) {
  std::string out = configuration_text(work) + "\n";
  TextTable table({"group", "variables", "not applicable", "bytes"});
  for (const Group& g : groups)
    table.add({g.path, std::to_string(g.schema->vars.size()), std::to_string(g.schema->not_applicable.size()),
               readable_bytes(g.bytes)});
  out += table.text();
  out += fmt::format("\ndata         {}\npeak memory  about {}\ntime         about {} on {} threads\n",
                     readable_bytes(needs.total), readable_bytes(needs.memory), readable_seconds(needs.seconds), math::threads());
  if (needs.free) out += fmt::format("free space   {}\n", readable_bytes(*needs.free));
  out += output.output.empty() ? "nothing would be written (no -o)\n"
                               : fmt::format("nothing written; without --dry-run: {}\n", output.output);
  std::fputs(out.c_str(), stdout);
}

}  // namespace

void print_dry_run(const Work& work, const std::vector<std::vector<Schema>>& schemas, const Summary& summary,
                   const OutputChoice& output, const Globals& globals) {
  const Schema last = summary.schema();
  std::vector<Group> groups;
  Needs needs;
  for (std::size_t a = 0; a < schemas.size(); ++a)
    for (std::size_t e = 0; e < schemas[a].size(); ++e)
      groups.push_back({group_path(*work.analyses[a], work.entries[e]), data_bytes(schemas[a][e]), &schemas[a][e]});
  groups.push_back({"/summary", data_bytes(last), &last});
  for (const Group& g : groups) needs.total += g.bytes;
  needs.memory = estimated_memory(work, schemas);
  needs.seconds = estimated_seconds(work);
  needs.free = free_bytes(output.output);
  if (globals.json)
    print_json(work, groups, needs, output);
  else
    print_text(work, groups, needs, output);
}

}  // namespace posenc::app
