#pragma once
// math: how much two rotating pairs look alike over a window.
#include "math/turn.hpp"

#include <cstdint>

namespace posenc::math {

/// Half the sum of the squared cosines of the principal angles between the planes spanned by (cos s a, sin s a) and (cos s b,
/// sin s b), s = 0 .. count - 1: 1 where they are one plane, 0 where they are orthogonal. From closed-form sums in 113-bit
/// arithmetic; absolute error 1e-14 for turns of at least 1e-8 within the window. NaN where a pair spans no plane: turn 0 or 1/2,
/// count < 2.
double plane_overlap(Turn a, Turn b, std::int64_t count);

}  // namespace posenc::math
