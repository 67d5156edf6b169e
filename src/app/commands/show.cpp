#include "app/command.hpp"
#include "app/file_text.hpp"

#include <cstdio>
#include <memory>

namespace posenc::app {
namespace {

class Show : public Command {
 public:
  CommandInfo info() const override {
    return {"show",
            "the tables of an output file",
            "FILE alone: how it was made, its groups and the summary. With GROUP: its attributes, scalar measures and arrays. "
            "With VARIABLE too: the numbers, one element a line with its coordinates.",
            {{"posenc show out.h5", "the summary"},
             {"posenc show out.h5 decay/rope", "one group"},
             {"posenc show out.h5 decay/rope score --rows 0 --json", "one variable, all of it"}}};
  }
  std::vector<Argument> arguments() override {
    return {{"FILE", "an output file; - is stdin", 1, 1, &file_},
            {"GROUP", "as decay/rope", 0, 1, &group_},
            {"VARIABLE", "of that group", 0, 1, &variable_}};
  }
  std::vector<OptionGroup> options() override {
    return {{"Options", "show", {{"rows", "1", "elements of a variable to print; 0: all", &options_.rows, at_least(0)}}}};
  }
  Exit run(const Globals& globals) override {
    options_.json = globals.json;
    const io::InputFile file(file_.front());
    const std::string out = group_.empty()      ? show_file(file, options_)
                            : variable_.empty() ? show_group(file, group_.front(), options_)
                                                : show_variable(file, group_.front(), variable_.front(), options_);
    std::fputs(out.c_str(), stdout);
    return Exit::ok;
  }

 private:
  std::vector<std::string> file_, group_, variable_;
  ShowOptions options_;
};

}  // namespace

std::unique_ptr<Command> make_show() { return std::make_unique<Show>(); }

}  // namespace posenc::app
