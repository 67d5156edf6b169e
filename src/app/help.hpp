#pragma once
// app: help text, generated from what commands and fields declare.
#include "app/command.hpp"

namespace posenc::app {

/// `posenc --help`: the commands, and where to read on.
std::string program_help(const std::vector<Command*>& commands, Globals& globals);
/// `posenc COMMAND --help`.
std::string command_help(Command& command, Globals& globals);

/// Usage of a command in one line: "posenc show FILE [GROUP [VARIABLE]] [options]".
std::string usage_line(Command& command);

/// A field as the help shows it: "--length INTEGER" and "about (unit; range; default)".
std::pair<std::string, std::string> option_entry(const Field& field);

/// Unit, range and default of a field in words, as in "position; >= 1; default 4096".
std::string field_facts(const Field& field);

}  // namespace posenc::app
