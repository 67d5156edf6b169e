#pragma once
// app: arrays of one or two files as identify takes them.
#include "app/identification.hpp"

namespace posenc::app {

/// One array: a vector, positions x channels (either first), positions x pairs x 2 (cosine and sine), 2 x positions x pairs
/// (cosines, then sines); dimensions of size 1 count nothing. Two arrays: cosines and sines, equal in shape. The first 65536
/// positions are read, those behind them when they are asked for. Throws BadData for another shape, and what the loader throws.
IdentificationInput read_arrays(const std::vector<std::string>& files);

}  // namespace posenc::app
