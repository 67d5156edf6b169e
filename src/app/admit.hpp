#pragma once
// app: refuses what cannot be done on this machine before anything is computed.
#include "app/output_choice.hpp"
#include "app/work.hpp"

namespace posenc::app {

/// Throws Error(cannot_create) where the file would not fit into the free space of its folder, and UsageError where the
/// arrays of an analysis would not fit into memory; both name the sizes.
void admit(const Work& work, const std::vector<std::vector<Schema>>& schemas, const OutputChoice& output);

}  // namespace posenc::app
