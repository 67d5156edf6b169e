#include "app/command.hpp"
#include "app/consequence.hpp"
#include "app/data_folder.hpp"
#include "app/model_layers.hpp"
#include "app/model_verdict.hpp"
#include "app/other_tools.hpp"
#include "app/terminal.hpp"
#include "io/standard_stream.hpp"
#include "math/parallel.hpp"
#include "sources/model_file.hpp"
#include "sources/preset.hpp"
#include "sources/what_if.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>

namespace posenc::app {
namespace {

using Read = std::function<sources::ModelReport(std::optional<sources::Dialect>)>;

/// Reads the file as any tool; standard input is taken once.
Read reader(const std::string& file) {
  if (file == "-") {
    const auto bytes = io::read_standard_input();
    return [text = std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size())](auto as) {
      return sources::read_model_text(text, "-", "", as);
    };
  }
  if (file.front() != '@') return [file](auto as) { return sources::read_model(file, {}, as); };
  const std::string name = file.substr(1);
  return [path = sources::preset_file(data_folder(), name), folder = sources::preset_folder(name)](auto as) {
    return sources::read_model(path, folder, as);
  };
}

/// Words of a foreign file, before they reach a terminal.
void make_printable(sources::ModelReport& report) {
  report.model_type = printable(report.model_type);
  for (auto& k : report.keys) k.key = printable(k.key), k.value = printable(k.value), k.note = printable(k.note);
  for (auto* list : {&report.warnings, &report.errors})
    for (auto& line : *list) line = printable(line);
  for (auto& w : report.what_if) w.condition = printable(w.condition), w.layer = printable(w.layer);
  for (auto& t : report.tools) t.refuses = printable(t.refuses);
  for (auto& l : report.layers) l.name = printable(l.name);
}

class Inspect : public Command {
 public:
  CommandInfo info() const override {
    return {"inspect",
            "what the positions of a real model do, from its file",
            "Prints the effective encoding of each layer type, which keys of the file were used, defaulted, ignored or in "
            "conflict, and warnings. Exit code 65 where the file cannot be valid; with --strict 1 where there is a warning or "
            "a conflict.",
            {{"posenc inspect config.json", "a verdict on one screen"},
             {"posenc inspect @llama-3.1-8b --json", "frequencies of every pair, for programs"},
             {"posenc inspect model.gguf", "the same for a GGUF file, of whatever size"},
             {"posenc inspect config.json --strict -q", "a check for scripts"},
             {"posenc inspect config.json --as vllm", "what vLLM does with the same file, and what it refuses"}}};
  }
  std::vector<Argument> arguments() override {
    return {{"FILE", "a config.json, a GGUF file, @PRESET, or - for a config.json from stdin", 1, 1, &file_}};
  }
  std::vector<OptionGroup> options() override {
    const Choice as{[this] { return static_cast<int>(as_.value_or(sources::Dialect::hf)); },
                    [this](int i) { as_ = static_cast<sources::Dialect>(i); }, sources::dialect_words};
    return {
        {"Options",
         "inspect",
         {{"strict", "1", "exit code 1 where there is a warning or a conflicting key", &strict_},
          {"as", "1",
           "the tool that the config.json is read as: hf: huggingface/transformers, the newest; vllm: vllm-project/vllm, at the "
           "length that it derives; llama.cpp: what its converter writes and its run time computes",
           as}}}};
  }
  Exit run(const Globals& globals) override {
    const std::string& file = file_.front();
    if (file.empty()) throw UsageError("inspect: FILE: must not be empty");
    math::set_threads(1);  // milliseconds of work, which threads would not shorten
    const Read read = reader(file);
    sources::ModelReport report = read(as_);
    fill_frequencies(report);
    sources::list_what_if(report);
    add_other_tools(report, read);
    fill_consequences(report);
    if (!globals.json) make_printable(report);
    if (globals.json)
      fmt::print("{}\n", sources::to_json(report));
    else if (!globals.quiet)
      std::fputs(model_verdict(report, file, globals.verbose).c_str(), stdout);
    if (!report.errors.empty()) throw BadData(fmt::format("{}: {}", file, report.errors.front()));
    const bool conflict = std::any_of(report.keys.begin(), report.keys.end(),
                                      [](const auto& k) { return k.status == sources::KeyStatus::conflicting; });
    return strict_ && (conflict || !report.warnings.empty()) ? Exit::check_failed : Exit::ok;
  }

 private:
  std::vector<std::string> file_;
  bool strict_ = false;
  std::optional<sources::Dialect> as_;  // not given: hf, and any kind of file
};

}  // namespace

std::unique_ptr<Command> make_inspect() { return std::make_unique<Inspect>(); }

}  // namespace posenc::app
