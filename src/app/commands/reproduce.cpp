#include "app/command.hpp"
#include "app/data_folder.hpp"
#include "app/digest.hpp"
#include "app/output_choice.hpp"
#include "app/provenance.hpp"
#include "app/published/report.hpp"
#include "app/table.hpp"
#include "app/work.hpp"
#include "core/error.hpp"
#include "io/atomic_file.hpp"
#include "io/output_file.hpp"
#include "io/standard_stream.hpp"
#include "math/parallel.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

namespace posenc::app {
namespace {

std::string folder() { return data_folder() + "/published"; }

/// Attributes of the root: those of every file, with the names in place of encodings.
std::vector<Attribute> root_of(const std::vector<PublishedPaper>& papers, const OutputChoice& output, const Globals& globals) {
  std::vector<Attribute> out = root_attributes(Work{"reproduce", {}, {}, {}, {}}, output, globals);
  nlohmann::ordered_json names = nlohmann::ordered_json::array();
  std::vector<std::string> words{"posenc", "reproduce"};
  for (const auto& p : papers) names.push_back(p.stem), words.push_back(p.stem);
  const std::string configuration = nlohmann::ordered_json{{"command", "reproduce"}, {"names", names}}.dump();
  for (Attribute& a : out) {
    if (a.name == "configuration") a.value = configuration;
    if (a.name == "configuration_sha256") a.value = sha256(configuration);
    if (a.name == "history" && output.reproducible) a.value = quoted(words);
  }
  return out;
}

class Reproduce : public Command {
 public:
  CommandInfo info() const override {
    return {"reproduce",
            "published results by name: theirs, ours, tolerance, verdict",
            "Without names all of them. Computes each number from the encoding alone and prints it beside the published one. A "
            "number that cannot be met says why and does not fail. Exit code 1 where a verdict fails. With -o the file holds the "
            "full curves, and the numbers under /published.",
            {{"posenc reproduce", "every published result"},
             {"posenc reproduce --list", "their names"},
             {"posenc reproduce roformer men2024 -o papers.h5", "two papers, with their curves"},
             {"posenc reproduce extrapolation-truth", "measures of extrapolation against losses of trained models"}}};
  }
  std::vector<Argument> arguments() override { return {{"NAME", "a published result: see --list", 0, 256, &names_}}; }
  std::vector<OptionGroup> options() override {
    Fields output = output_.fields();
    std::erase_if(output, [](const Field& f) { return f.name == "dry-run"; });
    return {{"Options",
             "reproduce",
             {{"list", "1", "print the names and stop", &list_},
              {"markdown", "1", "print the main numbers as a table in Markdown", &markdown_}}},
            {"Output", "reproduce", std::move(output)}};
  }

  Exit run(const Globals& globals) override {
    const auto papers = read_published(folder(), names_);
    if (list_) return list(papers, globals);
    if (output_.output == "-") io::refuse_terminal();
    if (!output_.output.empty() && output_.output != "-") io::check_target(output_.output, output_.force);
    std::vector<JudgedPaper> judged;
    if (output_.output.empty()) {
      judged = reproduce(papers, nullptr, globals);
    } else {
      io::OutputFile file(output_.output, {output_.force, static_cast<int>(output_.deflate), math::threads()});
      for (const auto& attribute : root_of(papers, output_, globals)) file.attribute(attribute);
      judged = reproduce(papers, &file, globals);
      write_reproduction(judged, file);
      file.commit();
    }
    if (output_.output != "-")
      std::fputs((globals.json ? reproduction_json(judged, output_.output)
                  : markdown_  ? reproduction_markdown(judged)
                               : reproduction_text(judged, globals.quiet))
                     .c_str(),
                 stdout);
    return tally(judged).failed == 0 ? Exit::ok : Exit::check_failed;
  }

 private:
  static Exit list(const std::vector<PublishedPaper>& papers, const Globals& globals) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    std::vector<std::pair<std::string, std::string>> items;
    for (const auto& p : papers) {
      all.push_back({{"name", p.stem}, {"title", p.title}, {"source", p.source}, {"numbers", p.numbers.size()}});
      items.emplace_back(p.stem, fmt::format("{} ({}); numbers: {}", p.title, p.source, p.numbers.size()));
    }
    std::fputs(
        (globals.json ? nlohmann::ordered_json{{"published", all}}.dump(2) + "\n" : definition_list(items, 110, 0)).c_str(),
        stdout);
    return Exit::ok;
  }

  std::vector<std::string> names_;
  bool list_ = false, markdown_ = false;
  OutputChoice output_;
};

}  // namespace

std::unique_ptr<Command> make_reproduce() { return std::make_unique<Reproduce>(); }

}  // namespace posenc::app
