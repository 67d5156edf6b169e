#pragma once
// app: what the program takes, as JSON, for completion, manuals and other programs.
#include "app/command.hpp"

namespace posenc::app {

/// {"program", "version", "commands": [...], "global_options": [...], "schemes": [...]}, or one command's entry if `one`
/// is not null.
std::string json_usage(Command* one, const std::vector<Command*>& commands, Globals& globals);

}  // namespace posenc::app
