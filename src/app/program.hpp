#pragma once
// app: one invocation of the program.
#include "core/error.hpp"

namespace posenc::app {

/// Parses the words, runs the command and returns its exit code. Throws Error for everything that goes wrong.
Exit run_program(int argc, const char* const* argv);

}  // namespace posenc::app
