#pragma once
// math: mean modulus of the partial sums of rotating unit vectors (kernel C).
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// Largest absolute error divided by the number of frequencies.
inline constexpr double partial_sums_error = 1e-15;

/// out[i] = (1/J) sum_{j=1..J} | sum_{k<=j} e^{2 pi i s f_k} |, s = first + i, frequencies in the order given. Parallel; same
/// bits for any number of threads.
void mean_abs_partial_sum(std::span<const Turn> frequency, std::int64_t first, std::span<double> out);

}  // namespace posenc::math
