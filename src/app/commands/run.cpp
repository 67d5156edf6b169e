#include "analyses/registry.hpp"
#include "app/compute.hpp"

namespace posenc::app {
namespace {

class Run : public ComputeCommand {
 public:
  Run() : ComputeCommand({analyses::registry().names().begin(), analyses::registry().names().end()}) {}

  CommandInfo info() const override {
    return {
        "run",
        "every analysis on every encoding given, tables included",
        "Without encodings the standard set. Writes one group for each analysis and encoding, /<analysis>/<label>, and "
        "/summary with one row an encoding; prints the most telling measures. Without -o it computes and prints the scalar "
        "measures alone.",
        {{"posenc run -o standard.h5", "the standard set at 4096 positions"},
         {"posenc run @llama-3.1-8b sinusoidal learned alibi:heads=8 yarn:factor=4,original=8192 nope --length 8192 -o out.h5",
          "a model's encoding beside five others"},
         {"posenc run all --length 128k --no-tables --dry-run", "what it would take"}}};
  }

 protected:
  bool is_run() const override { return true; }
  bool needs_output() const override { return false; }
};

}  // namespace

std::unique_ptr<Command> make_run() { return std::make_unique<Run>(); }

}  // namespace posenc::app
