#include "app/usage_json.hpp"

#include "app/binding.hpp"
#include "app/field_json.hpp"
#include "app/help.hpp"
#include "app/scheme_json.hpp"
#include "core/version.hpp"

#include <nlohmann/json.hpp>
#include <set>

namespace posenc::app {
namespace {

using json = nlohmann::ordered_json;

json option(const Field& f, std::string_view group) {
  json out = json::parse(json_declaration(f));
  out["option"] = option_name(f);
  out["takes_value"] = !is_switch(f);
  out["group"] = group;
  return out;
}

json usage(Command& command) {
  const CommandInfo info = command.info();
  json arguments = json::array(), options = json::array(), examples = json::array();
  for (const Argument& a : command.arguments())
    arguments.push_back({{"name", a.name}, {"about", a.about}, {"least", a.least}, {"most", a.most}});
  std::set<std::string> seen;
  for (const auto& group : command.options())
    for (const Field& f : group.fields)
      if (seen.insert(option_name(f)).second) options.push_back(option(f, group.title));
  for (const Example& e : info.examples) examples.push_back({{"line", e.line}, {"about", e.about}});
  return {{"name", info.name},      {"title", info.title}, {"about", info.about}, {"usage", usage_line(command)},
          {"arguments", arguments}, {"options", options},  {"examples", examples}};
}

}  // namespace

std::string json_usage(Command* one, const std::vector<Command*>& commands, Globals& globals) {
  if (one) return usage(*one).dump(2) + "\n";
  json all = json::array(), common = json::array();
  for (Command* c : commands) all.push_back(usage(*c));
  for (const Field& f : globals.fields()) common.push_back(option(f, "Every command"));
  return json{{"program", "posenc"},
              {"version", version},
              {"commands", all},
              {"global_options", common},
              {"schemes", json::parse(json_schemes())}}
             .dump(2) +
         "\n";
}

}  // namespace posenc::app
