#include "app/help.hpp"

#include "app/binding.hpp"
#include "app/table.hpp"
#include "app/terminal.hpp"
#include "core/version.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace posenc::app {
namespace {

int page_width() { return std::min(terminal_width(), 110); }

std::string heading(std::string_view title) { return "\n" + styled(Style::bold, fmt::format("{}:", title)) + "\n"; }

/// Options of each group, each name once.
std::string option_sections(const std::vector<OptionGroup>& groups, const Fields& common) {
  std::string out;
  std::set<std::string> seen;
  const auto section = [&](std::string_view title, const Fields& fields) {
    std::vector<std::pair<std::string, std::string>> items;
    for (const Field& f : fields)
      if (seen.insert(option_name(f)).second) items.push_back(option_entry(f));
    if (!items.empty()) out += heading(title) + definition_list(items, page_width());
  };
  for (const auto& g : groups) section(g.title, g.fields);
  section("Every command", common);
  return out;
}

}  // namespace

std::string field_facts(const Field& f) {
  std::vector<std::string> facts;
  if (f.unit != "1" && !f.unit.empty()) facts.emplace_back(f.unit);
  const std::string range = range_words(f.range);
  if (!range.empty()) facts.push_back(range);
  const std::string value = text(f);
  if (!value.empty())
    facts.push_back("default " + value);
  else if (!f.derived.empty())
    facts.push_back(fmt::format("default: {}", f.derived));
  return fmt::format("{}", fmt::join(facts, "; "));
}

std::pair<std::string, std::string> option_entry(const Field& f) {
  const std::string spelled = option_name(f);
  const auto comma = spelled.find(',');
  std::string name = comma == std::string::npos ? "    " + spelled : spelled.substr(0, comma) + ", " + spelled.substr(comma + 1);
  std::string about(f.about);
  if (is_switch(f)) {
    const bool off = spelled.find("--no-") != std::string::npos;
    return {name, off ? fmt::format("do not: {}", about) : about};
  }
  std::string type = type_words(f);
  if (type == "numbers a/b/c") type = "A,B,C";
  if (type == "integer") type = "N";
  if (type == "number") type = "X";
  if (type == "text") type = f.name == "output" ? "FILE" : "TEXT";
  std::string facts = field_facts(f);
  if (std::holds_alternative<std::vector<double>*>(f.slot)) std::replace(facts.begin(), facts.end(), '/', ',');
  return {name + " " + type, facts.empty() ? about : fmt::format("{} ({})", about, facts)};
}

std::string usage_line(Command& command) {
  std::string out = fmt::format("posenc {}", command.info().name), close;
  for (const Argument& a : command.arguments()) {
    const std::string word = a.most > 1 ? fmt::format("{} ...", a.name) : std::string(a.name);
    out += a.least == 0 ? " [" + word : " " + word;
    if (a.least == 0) close += "]";
  }
  return out + close + " [options]";
}

std::string command_help(Command& command, Globals& globals) {
  const CommandInfo info = command.info();
  std::string out = fmt::format("{} - {}\n\nUsage: {}\n", styled(Style::bold, fmt::format("posenc {}", info.name)), info.title,
                                usage_line(command));
  if (!info.about.empty()) out += "\n" + wrapped(info.about, page_width());
  std::vector<std::pair<std::string, std::string>> items;
  for (const Argument& a : command.arguments()) items.emplace_back(std::string(a.name), std::string(a.about));
  if (!items.empty()) out += heading("Arguments") + definition_list(items, page_width());
  Fields common = globals.fields();
  out += option_sections(command.options(), common);
  out += definition_list({{"-h, --help", "this text"}, {"    --json-usage", "what this command takes, as JSON"}}, page_width());
  if (!info.examples.empty()) out += heading("Examples");
  for (const Example& e : info.examples) out += fmt::format("  {}\n{}", e.line, wrapped(e.about, page_width(), 6));
  return out;
}

std::string program_help(const std::vector<Command*>& commands, Globals& globals) {
  std::string out = fmt::format(
      "{} {} - the reference instrument for transformer positional encodings\n\n"
      "Usage: posenc COMMAND [ENCODING ...] [options] -o OUT.h5\n",
      styled(Style::bold, "posenc"), version);
  std::vector<std::pair<std::string, std::string>> items;
  for (Command* c : commands) items.emplace_back(std::string(c->info().name), std::string(c->info().title));
  out += heading("Commands") + definition_list(items, page_width());
  Fields common = globals.fields();
  out += option_sections({}, common);
  out += definition_list({{"-h, --help", "this text, or that of a command"},
                          {"    --version", "version, commit, compiler, libraries, instruction set"},
                          {"    --json-usage", "every command, option and scheme as JSON"}},
                         page_width());
  out += heading("Encodings");
  out += wrapped(
      "NAME[:key=value,...] as in yarn:factor=4,original=4096; @PRESET for a model's facts that come with the program; "
      "a path or a name ending in .json .gguf .safetensors .npy .npz .csv .h5 for a file. Numbers may be written 128k, "
      "1M, 1G (k = 1024) and 1e6. `posenc schemes` lists the names, `posenc schemes NAME` a scheme's keys.",
      page_width(), 2);
  out += heading("Examples");
  out +=
      "  posenc run -o standard.h5\n      every analysis of the standard set\n"
      "  posenc run rope yarn:factor=4 alibi:heads=8 --length 8k -o out.h5\n      three encodings at 8192 positions\n"
      "  posenc inspect config.json\n      what a model's positions really do\n";
  out += heading("Exit codes");
  out += definition_list({{"0", "done"},
                          {"1", "a check did not hold (inspect --strict, compare, reproduce)"},
                          {"64", "a word or value on the command line"},
                          {"65", "a file that cannot be valid"},
                          {"66", "an input that is not there"},
                          {"70", "an error of the program"},
                          {"73", "an output that exists or cannot be created"},
                          {"74", "reading or writing failed"},
                          {"75", "locked: try again"},
                          {"130, 143", "interrupted, terminated"}},
                         page_width());
  return out;
}

}  // namespace posenc::app
