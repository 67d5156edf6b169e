#include "app/command.hpp"
#include "app/identification_input.hpp"

#include <fmt/format.h>
#include <cstdio>
#include <memory>

namespace posenc::app {
namespace {

class Identify : public Command {
 public:
  CommandInfo info() const override {
    return {
        "identify",
        "which scheme a table, a cache of cosines and sines, or a vector of frequencies follows",
        "FILE alone: a vector of frequencies, inverses, wavelengths or divisors, or a table of positions x channels (either "
        "first), positions x pairs x 2, or 2 x positions x pairs. Two files: the cosines, then the sines. Every scheme that "
        "recognises such numbers is asked; what it proposes is computed and compared under the roundings of usual arithmetic. "
        "Printed are the best explanation and the next: encoding, layout, first position, amplitude, precision, the largest "
        "residual (of a vector relative) and its place, the place of the first element beyond the rounding, and how many rows "
        "agree. First positions are sought up to half a turn of the slowest pair, and, where every pair agrees on it, up to "
        "2^25. "
        "Vectors have at most 8192 numbers. Exit code 1 where none explains every row.",
        {{"posenc identify inv_freq.npy", "base and scaling of a vector of frequencies"},
         {"posenc identify model.safetensors#embed_positions.weight", "a table"},
         {"posenc identify cos.npy sin.npy --json", "a cache"}}};
  }
  std::vector<Argument> arguments() override {
    return {{"FILE", "one array, FILE or FILE#NAME; or cosines and sines", 1, 2, &files_}};
  }
  Exit run(const Globals& globals) override {
    const Identification found = identify(read_arrays(files_));
    if (globals.json)
      fmt::print("{}\n", json(found));
    else if (!globals.quiet)
      std::fputs(text(found, files_[0]).c_str(), stdout);
    return found.known() ? Exit::ok : Exit::check_failed;
  }

 private:
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Command> make_identify() { return std::make_unique<Identify>(); }

}  // namespace posenc::app
