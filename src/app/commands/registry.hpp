#pragma once
// app: the list of all commands: those of commands.def, and one for each analysis where commands.def says so.
#include "app/command.hpp"

#include <memory>

namespace posenc::app {

/// In the order of `posenc --help`.
std::vector<std::unique_ptr<Command>> all_commands();

}  // namespace posenc::app
