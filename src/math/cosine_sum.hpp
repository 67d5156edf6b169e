#pragma once
// math: weighted sums of cosines at consecutive integers (kernel B).
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// Largest error divided by the sum of |weight|, at any position up to 2^53.
inline constexpr double cosine_sum_error = 1e-14;

/// out[i] = sum_j weight[j] e^{log_damping[j] s} cos(2 pi s f_j), s = first + i (s may be negative). log_damping empty: no
/// damping. Parallel; the bits depend on s and the arguments, not on threads.
void cosine_sum(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                std::int64_t first, std::span<double> out);

/// out[i] = sum_j weight[j] [(1 - w_j) + 2 w_j sin^2(pi s f_j)], w_j = e^{log_damping[j] s}: sum weight - cosine_sum without
/// cancellation. Relative error 1e-13 where the sum is not zero.
void cosine_deficit(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                    std::int64_t first, std::span<double> out);

/// The same two at lags given one by one.
void cosine_sum_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                   std::span<const std::int64_t> lags, std::span<double> out);
void cosine_deficit_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                       std::span<const std::int64_t> lags, std::span<double> out);

}  // namespace posenc::math
