#include "app/commands/analyse.hpp"

#include "analyses/registry.hpp"
#include "app/compute.hpp"

#include <fmt/format.h>

namespace posenc::app {
namespace {

class Analyse : public ComputeCommand {
 public:
  explicit Analyse(std::string_view analysis) : ComputeCommand({analysis}), analysis_(analysis) {}

  CommandInfo info() const override {
    const auto analysis = fresh_analysis(analysis_)->info();
    const auto word = command_word(analysis_);
    return {word,
            analysis.title,
            fmt::format("{}\n\nWrites /{}/<label> for each encoding, and /summary.{}", analysis.about, analysis_,
                        needs_output() ? "" : " Without -o it computes and prints the scalar measures alone."),
            {{fmt::format("posenc {} rope alibi:heads=8 --length 8k -o {}.h5", word, word), "two encodings at 8192 positions"},
             {fmt::format("posenc {} standard --dim 64 -o {}.h5", word, word), "the standard set with heads of 64 channels"}}};
  }

 protected:
  bool is_run() const override { return false; }
  bool needs_output() const override { return analysis_ == "encodings"; }

 private:
  std::string_view analysis_;
};

}  // namespace

std::string_view command_word(std::string_view analysis) { return analysis == "encodings" ? "encode" : analysis; }

std::vector<std::unique_ptr<Command>> analysis_commands() {
  std::vector<std::unique_ptr<Command>> out;
  for (const auto name : analyses::registry().names()) out.push_back(std::make_unique<Analyse>(name));
  return out;
}

}  // namespace posenc::app
