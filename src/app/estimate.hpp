#pragma once
// app: how long a piece of work may take, from trial runs at small lengths on this machine.
#include "app/work.hpp"

namespace posenc::app {

/// Seconds. Every analysis of every encoding is tried at doubling lengths (horizons and training lengths in proportion) for a
/// few seconds in all, and the last two times are continued as a power of the length. Writes nothing.
double estimated_seconds(const Work& work);

/// Bytes of memory at the peak: this process as it is, block buffers of each thread, and the largest group's arrays.
double estimated_memory(const std::vector<std::vector<Schema>>& schemas);

}  // namespace posenc::app
