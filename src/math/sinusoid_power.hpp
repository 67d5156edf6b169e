#pragma once
// math: the power spectrum of sampled sinusoids in closed form.
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// Columns cos(2 pi m f_j) and sin(2 pi m f_j), m = a .. a + length - 1, any a: out[i] = mean over the columns of
/// |sum_m column_m e^{-2 pi i m k / length}|^2 / length at k = first + i, 1 <= k < length; from the Dirichlet kernels
/// sin^2(pi length x) / sin^2(pi x), x = f_j -+ k / length, with exact x. Relative error 1e-14. Parallel.
void sinusoid_power(std::span<const Turn> frequency, std::int64_t length, std::int64_t first, std::span<double> out);

}  // namespace posenc::math
