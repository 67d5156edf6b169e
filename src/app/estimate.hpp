#pragma once
// app: how long a piece of work may take, from trial runs at small lengths on this machine.
#include "app/work.hpp"

namespace posenc::app {

/// Seconds on a machine that does nothing else, with the threads in use. Every analysis of every encoding is tried at doubling
/// lengths (horizons and training lengths in proportion) for a few seconds in all, and the growth over the last two doublings
/// is continued as a power of the length; of many encodings only the first are tried. Good to a factor of two or three. Writes
/// nothing.
double estimated_seconds(const Work& work);

/// Bytes of memory at the peak: this process as it is, block buffers of each thread, and what the largest group holds, copies
/// of a table included.
double estimated_memory(const Work& work, const std::vector<std::vector<Schema>>& schemas);

}  // namespace posenc::app
