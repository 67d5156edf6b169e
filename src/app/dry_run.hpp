#pragma once
// app: what --dry-run prints.
#include "app/globals.hpp"
#include "app/output_choice.hpp"
#include "app/summary.hpp"

namespace posenc::app {

/// The resolved configuration, bytes by group and in total, peak memory, estimated time and free space. Writes nothing.
void print_dry_run(const Work& work, const std::vector<std::vector<Schema>>& schemas, const Summary& summary,
                   const OutputChoice& output, const Globals& globals);

}  // namespace posenc::app
