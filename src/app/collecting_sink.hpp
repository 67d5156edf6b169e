#pragma once
// app: keeps the measures of one group for the summary while they go by.
#include "app/summary.hpp"

namespace posenc::app {

/// Passes everything on to `next`, which may be null. `analysis` and `entry` are indices into the summary's work.
std::unique_ptr<Sink> collecting_sink(Summary& summary, std::size_t analysis, std::size_t entry, const Schema& schema,
                                      std::unique_ptr<Sink> next);

}  // namespace posenc::app
