#pragma once
// app: what a run prints when it is done.
#include "app/globals.hpp"
#include "app/output_choice.hpp"
#include "app/summary.hpp"

namespace posenc::app {

/// With --json one object: output, encodings with every measure (null where absent, arrays by head and factor). Else the
/// most telling measures as a table, unless quiet or the file itself goes to stdout.
void print_report(const Summary& summary, const OutputChoice& output, const Globals& globals);

}  // namespace posenc::app
