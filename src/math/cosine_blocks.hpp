#pragma once
// math: kernel B. Weighted sums of cosines over whole blocks of consecutive integers. For source files of math.
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// As cosine_sum. An integer s = c + b or c - b, with c the half-integer centre of the block of 512 that holds it and b one of
/// 1/2, 3/2 ... 511/2: cos((c +- b) t) = cos ct cos bt -+ sin ct sin bt, so that the two sums over frequencies P and Q give two
/// values, P - Q and P + Q, for the work of one. With damping the halves differ and each is summed.
void cosine_blocks(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                   std::int64_t first, std::span<double> out);

}  // namespace posenc::math
