#pragma once
// app: one command for each analysis of the registry.
#include "app/command.hpp"

#include <memory>

namespace posenc::app {

/// The user's word for an analysis: its name, but `encode` for `encodings`.
std::string_view command_word(std::string_view analysis);
/// In the order of analyses.def.
std::vector<std::unique_ptr<Command>> analysis_commands();

}  // namespace posenc::app
