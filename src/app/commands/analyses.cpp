#include "analyses/registry.hpp"

#include "app/command.hpp"
#include "app/field_json.hpp"
#include "app/help.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "app/variables.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

int page_width() { return std::min(terminal_width(), 110); }

json as_json(std::string_view name) {
  const auto analysis = analyses::registry().make(name);
  const auto info = analysis->info();
  json fields = json::array(), variables = json::array();
  for (const Field& f : analysis->fields()) fields.push_back(json::parse(json_declaration(f)));
  for (const Described& d : variables_of(*analysis))
    variables.push_back({{"name", d.variable.name},
                         {"dims", d.variable.dims},
                         {"unit", d.variable.unit},
                         {"about", d.variable.about},
                         {"schemes", d.schemes}});
  return {{"name", info.name}, {"title", info.title}, {"about", info.about}, {"options", fields}, {"variables", variables}};
}

std::string listing() {
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto name : analyses::registry().names())
    items.emplace_back(std::string(name), std::string(analyses::registry().make(name)->info().title));
  return definition_list(items, page_width(), 0);
}

std::string description(const std::string& name) {
  const auto analysis = analyses::registry().make(name);
  const auto info = analysis->info();
  std::string out =
      fmt::format("{} - {}\n\n{}\n", styled(Style::bold, info.name), info.title, wrapped(std::string(info.about), page_width()));
  std::vector<std::pair<std::string, std::string>> items;
  for (const Field& f : analysis->fields()) items.push_back(option_entry(f));
  if (!items.empty()) out += styled(Style::bold, "Options:") + "\n" + definition_list(items, page_width()) + "\n";
  items.clear();
  for (const Described& d : variables_of(*analysis)) {
    const auto& v = d.variable;
    const std::string unit = v.unit.empty() || v.unit == "1" ? "" : fmt::format(" [{}]", v.unit);
    items.emplace_back(v.dims.empty() ? v.name : fmt::format("{}({})", v.name, fmt::join(v.dims, ", ")), v.about + unit);
  }
  return out + styled(Style::bold, "Variables:") + "\n" + definition_list(items, page_width());
}

class Analyses : public Command {
 public:
  CommandInfo info() const override {
    return {"analyses",
            "the analyses there are: every variable with its unit and meaning",
            "Without a name one line an analysis; with one its options and every variable that it writes for any scheme.",
            {{"posenc analyses", "the list"},
             {"posenc analyses decay", "what `posenc decay` writes"},
             {"posenc analyses --json", "everything, for programs"}}};
  }
  std::vector<Argument> arguments() override { return {{"NAME", "an analysis", 0, 1, &name_}}; }
  Exit run(const Globals& globals) override {
    const std::string name = name_.empty() ? "" : name_.front() == "encode" ? "encodings" : name_.front();
    std::string out;
    if (globals.json && name.empty()) {
      json all = json::array();
      for (const auto one : analyses::registry().names()) all.push_back(as_json(one));
      out = json{{"analyses", all}}.dump(2) + "\n";
    } else if (globals.json) {
      out = as_json(name).dump(2) + "\n";
    } else {
      out = name.empty() ? listing() : description(name);
    }
    std::fputs(out.c_str(), stdout);
    return Exit::ok;
  }

 private:
  std::vector<std::string> name_;
};

}  // namespace

std::unique_ptr<Command> make_analyses() { return std::make_unique<Analyses>(); }

}  // namespace posenc::app
