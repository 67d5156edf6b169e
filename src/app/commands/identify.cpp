#include "app/command.hpp"
#include "app/identification.hpp"
#include "app/tables.hpp"

#include <fmt/format.h>
#include <cstdio>
#include <memory>

namespace posenc::app {
namespace {

constexpr model::Pos most_rows = 65536;

/// A vector as one row, a table as it is, leading dimensions of size 1 dropped.
model::Matrix read(const std::string& file) {
  const auto tensor = Tables().open(file);
  std::vector<model::Pos> shape = tensor->shape();
  while (shape.size() > 2 && shape.front() == 1) shape.erase(shape.begin());
  if (shape.empty() || shape.size() > 2) throw BadData(fmt::format("{}: must be a vector or positions x channels", file));
  const model::Pos rows = shape.size() == 2 ? std::min(shape[0], most_rows) : 1, columns = shape.back();
  if (rows < 1 || columns < 1) throw BadData(fmt::format("{}: must not be empty", file));
  model::Matrix out(static_cast<model::Index>(rows), static_cast<model::Index>(columns));
  tensor->read(0, {out.data(), static_cast<std::size_t>(out.size())});
  return out;
}

class Identify : public Command {
 public:
  CommandInfo info() const override {
    return {"identify",
            "which scheme a table, a cache of cosines and sines, or a vector of frequencies follows",
            "FILE alone: a vector of frequencies, or a table of positions x channels. Two files: the cosines, then the sines. Every "
            "scheme that recognises such numbers is asked; what it proposes is computed and compared, and the nearest explanations "
            "are printed with their residuals (of frequencies relative). Exit code 1 where none explains the numbers.",
            {{"posenc identify inv_freq.npy", "base and scaling of a vector of frequencies"},
             {"posenc identify model.safetensors#embed_positions.weight", "a table"},
             {"posenc identify cos.npy sin.npy --json", "a cache"}}};
  }
  std::vector<Argument> arguments() override { return {{"FILE", "one array, FILE or FILE#NAME; or cosines and sines", 1, 2, &files_}}; }
  Exit run(const Globals& globals) override {
    model::Matrix values = read(files_[0]);
    if (files_.size() == 2) {
      const model::Matrix sines = read(files_[1]);
      if (sines.rows() != values.rows() || sines.cols() != values.cols())
        throw BadData(fmt::format("{}: {} x {} sines for {} x {} cosines", files_[1], sines.rows(), sines.cols(), values.rows(), values.cols()));
      model::Matrix both(values.rows(), 2 * values.cols());
      both << values, sines;
      values = both;
    }
    const Identification found = identify(values, files_.size() == 2);
    if (globals.json)
      fmt::print("{}\n", json(found));
    else if (!globals.quiet)
      std::fputs(text(found, files_[0]).c_str(), stdout);
    return found.known ? Exit::ok : Exit::check_failed;
  }

 private:
  std::vector<std::string> files_;
};

}  // namespace

std::unique_ptr<Command> make_identify() { return std::make_unique<Identify>(); }

}  // namespace posenc::app
