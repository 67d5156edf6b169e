#include "schemes/registry.hpp"

#include "app/command.hpp"
#include "app/help.hpp"
#include "app/scheme_json.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>

namespace posenc::app {
namespace {

int page_width() { return std::min(terminal_width(), 110); }

std::string listing() {
  std::vector<std::pair<std::string, std::string>> items;
  for (const auto name : schemes::registry().names())
    items.emplace_back(std::string(name), std::string(schemes::registry().make(name)->info().title));
  return definition_list(items, page_width(), 0);
}

std::string description(const std::string& name) {
  const auto scheme = schemes::registry().make(name);
  const model::SchemeInfo info = scheme->info();
  std::string out = fmt::format("{} - {}\n\n{}\n{}\n", styled(Style::bold, info.name), info.title,
                                wrapped(std::string(info.formula), page_width(), 2),
                                wrapped("Source: " + std::string(info.source), page_width()));
  std::vector<std::pair<std::string, std::string>> items;
  for (const Field& f : scheme->fields()) {
    const std::string facts = field_facts(f);
    items.emplace_back(fmt::format("{}={}", f.name, type_words(f)),
                       facts.empty() ? std::string(f.about) : fmt::format("{} ({})", f.about, facts));
  }
  return out + styled(Style::bold, "Keys:") + "\n" + definition_list(items, page_width());
}

class Schemes : public Command {
 public:
  CommandInfo info() const override {
    return {"schemes",
            "the encodings there are: formula, keys, source",
            "Without a name one line a scheme; with one its formula, keys with unit, range and default, and source.",
            {{"posenc schemes", "the list"},
             {"posenc schemes yarn", "what yarn:... takes"},
             {"posenc schemes --json", "everything, for programs"}}};
  }
  std::vector<Argument> arguments() override { return {{"NAME", "a scheme", 0, 1, &name_}}; }
  Exit run(const Globals& globals) override {
    std::string out;
    if (globals.json)
      out = name_.empty() ? fmt::format("{{\"schemes\": {}}}\n", json_schemes()) : json_scheme(name_.front()) + "\n";
    else
      out = name_.empty() ? listing() : description(name_.front());
    std::fputs(out.c_str(), stdout);
    return Exit::ok;
  }

 private:
  std::vector<std::string> name_;
};

}  // namespace

std::unique_ptr<Command> make_schemes() { return std::make_unique<Schemes>(); }

}  // namespace posenc::app
