#pragma once
// app: options that every command has.
#include "core/field.hpp"

namespace posenc::app {

enum class ProgressMode : int { automatic, always, never };

struct Globals {
  bool quiet = false, verbose = false, json = false;
  ProgressMode progress = ProgressMode::automatic;
  std::optional<std::int64_t> threads;
  std::string command_line;  // the user's words, quoted, for the history of an output file

  Fields fields();
};

}  // namespace posenc::app
