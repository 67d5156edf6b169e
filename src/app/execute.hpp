#pragma once
// app: does the work: every analysis of every encoding into one file, then the summary.
#include "app/globals.hpp"
#include "app/output_choice.hpp"
#include "app/work.hpp"
#include "core/error.hpp"

namespace posenc::app {

/// With --dry-run only says what would be done. Without an output file computes the scalar measures and prints them.
/// Throws Error; the target is then as it was.
Exit execute(const Work& work, const OutputChoice& output, const Globals& globals);

}  // namespace posenc::app
