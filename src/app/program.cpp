#include "app/program.hpp"

#include "app/binding.hpp"
#include "app/commands/registry.hpp"
#include "app/help.hpp"
#include "app/provenance.hpp"
#include "app/threads.hpp"
#include "app/usage_json.hpp"
#include "app/version_text.hpp"
#include "math/parallel.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <cstdio>

namespace posenc::app {
namespace {

struct Registered {
  std::unique_ptr<Command> command;
  std::unique_ptr<Binding> binding = std::make_unique<Binding>();
  CLI::App* app = nullptr;
};

std::vector<std::string_view> views(const std::vector<std::string>& words) { return {words.begin(), words.end()}; }

/// Words that CLI11 did not take: unknown options, and the command's arguments.
std::vector<std::string> arguments_of(const std::vector<std::string>& remaining, const std::vector<std::string>& options) {
  std::vector<std::string> out;
  for (const auto& word : remaining) {
    if (word == "--") continue;
    const bool option = word.size() > 1 && word[0] == '-' && !(word[1] >= '0' && word[1] <= '9');
    const std::string name = word.substr(0, word.find('='));
    if (option && std::find(options.begin(), options.end(), name) != options.end())
      throw UsageError(fmt::format("option '{}' must come after the command", name));
    if (option) unknown("option", name, views(options));
    out.push_back(word);
  }
  return out;
}

void hand_over(Command& command, const std::vector<std::string>& words) {
  const auto arguments = command.arguments();
  const auto name = command.info().name;
  std::size_t at = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Argument& a = arguments[i];
    std::size_t later = 0;
    for (std::size_t k = i + 1; k < arguments.size(); ++k) later += arguments[k].least;
    const std::size_t left = words.size() - at, free = left > later ? left - later : 0;
    const std::size_t take = std::min(a.most, free);
    if (take < a.least) throw UsageError(fmt::format("{}: {} is missing: see posenc {} --help", name, a.name, name));
    a.words->assign(words.begin() + static_cast<std::ptrdiff_t>(at), words.begin() + static_cast<std::ptrdiff_t>(at + take));
    at += take;
  }
  if (at < words.size()) throw UsageError(fmt::format("{}: unexpected '{}': see posenc {} --help", name, words[at], name));
}

class Program {
 public:
  Program() {
    root_.set_help_flag("");
    root_.allow_extras();
    root_.fallthrough();
    root_.require_subcommand(0, 1);
    globals_binding_.bind(root_, {{"Every command", "posenc", globals_.fields()}});
    root_.add_flag("-h,--help", help_);
    root_.add_flag("--version", version_);
    root_.add_flag("--json-usage", json_usage_);
    for (auto& command : all_commands()) {
      Registered& one = commands_.emplace_back();
      one.command = std::move(command);
      one.app = root_.add_subcommand(std::string(one.command->info().name));
      one.app->set_help_flag("");
      one.app->allow_extras();
      one.binding->bind(*one.app, one.command->options());
    }
  }

  Exit run(std::vector<std::string> words) {
    globals_.command_line = "posenc " + quoted(words);
    const auto mark = std::find(words.begin(), words.end(), "--");
    const std::vector<std::string> after(mark == words.end() ? mark : mark + 1, words.end());
    words.erase(mark, words.end());
    std::reverse(words.begin(), words.end());
    try {
      root_.parse(words);
    } catch (const CLI::ParseError& e) {
      throw UsageError(one_line(e.what()));
    }
    globals_binding_.apply();
    Registered* chosen = nullptr;
    for (auto& c : commands_)
      if (c.app->parsed()) chosen = &c;
    if (version_) return print(version_text(globals_.json));
    std::vector<std::string> rest = root_.remaining(true);
    if (json_usage_) return print(json_usage(chosen ? chosen->command.get() : nullptr, every_command(), globals_));
    if (help_) return print(chosen ? command_help(*chosen->command, globals_) : program_help(every_command(), globals_));
    if (!chosen) no_command(rest);
    rest = arguments_of(rest, option_names(*chosen));
    rest.insert(rest.end(), after.begin(), after.end());
    chosen->binding->apply();
    hand_over(*chosen->command, rest);
    math::set_threads(thread_count(globals_.threads));
    return chosen->command->run(globals_);
  }

 private:
  static Exit print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    return Exit::ok;
  }
  static std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }
  std::vector<Command*> every_command() const {
    std::vector<Command*> out;
    for (const auto& c : commands_) out.push_back(c.command.get());
    return out;
  }
  std::vector<std::string> option_names(const Registered& one) const {
    std::vector<std::string> out = one.binding->names();
    for (const auto& name : globals_binding_.names()) out.push_back(name);
    out.insert(out.end(), {"--help", "--version", "--json-usage"});
    return out;
  }
  [[noreturn]] void no_command(const std::vector<std::string>& rest) const {
    const auto first = std::find_if(rest.begin(), rest.end(), [](const std::string& w) { return w.empty() || w[0] != '-'; });
    if (first != rest.end()) {
      std::vector<std::string_view> names;
      for (const auto& c : commands_) names.push_back(c.command->info().name);
      unknown("command", *first, names);
    }
    std::vector<std::string> options = globals_binding_.names();
    options.insert(options.end(), {"--help", "--version", "--json-usage"});
    arguments_of(rest, options);
    throw UsageError("no command given: see posenc --help");
  }

  Globals globals_;
  bool help_ = false, version_ = false, json_usage_ = false;
  Binding globals_binding_;
  std::vector<Registered> commands_;
  CLI::App root_{"posenc"};
};

}  // namespace

Exit run_program(int argc, const char* const* argv) { return Program().run({argv + 1, argv + argc}); }

}  // namespace posenc::app
