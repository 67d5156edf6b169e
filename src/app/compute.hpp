#pragma once
// app: the base of the commands that compute: run, and one for each analysis.
#include "app/command.hpp"
#include "app/output_choice.hpp"
#include "app/overrides.hpp"
#include "app/work.hpp"

namespace posenc::app {

class ComputeCommand : public Command {
 public:
  /// `analyses` by their names in the registry.
  explicit ComputeCommand(const std::vector<std::string_view>& analyses);

  std::vector<Argument> arguments() override;
  std::vector<OptionGroup> options() override;
  Exit run(const Globals& globals) override;

 protected:
  virtual bool is_run() const = 0;        // every analysis, with --tables
  virtual bool needs_output() const = 0;  // the result is arrays alone: nothing to print

 private:
  Work prepare();

  std::vector<std::string> words_;
  model::Request request_;
  Overrides overrides_;
  OutputChoice output_;
  std::vector<std::shared_ptr<model::Analysis>> analyses_;
};

}  // namespace posenc::app
