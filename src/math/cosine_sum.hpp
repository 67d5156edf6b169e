#pragma once
// math: weighted sums of cosines at consecutive integers (kernel B).
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// Largest error of a sum, absolute, divided by the sum of |weight| times the greatest of 1 and e^{log_damping s}; at any lag to
/// 2^53 in magnitude and for up to 4096 frequencies.
inline constexpr double cosine_sum_error = 1e-14;
/// Largest relative error of a deficit, where all terms have the same sign (weights >= 0, and s >= 0 with log_damping <= 0).
inline constexpr double cosine_deficit_error = 1e-13;

/// out[i] = sum_j weight[j] e^{log_damping[j] s} cos(2 pi s f_j), s = first + i (s may be negative). log_damping empty: no
/// damping. Parallel; the bits of a value depend on s, frequencies, weights and damping, not on first, out.size() or threads.
/// Lags are computed in blocks of 512 after one table for all: for a few lags ask cosine_sum_at, whose last bits differ.
void cosine_sum(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                std::int64_t first, std::span<double> out);

/// out[i] = sum_j weight[j] [(1 - w_j) + 2 w_j sin^2(pi s f_j)], w_j = e^{log_damping[j] s}: sum weight - cosine_sum without
/// cancellation.
void cosine_deficit(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                    std::int64_t first, std::span<double> out);

/// The same two at lags given one by one.
void cosine_sum_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                   std::span<const std::int64_t> lags, std::span<double> out);
void cosine_deficit_at(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                       std::span<const std::int64_t> lags, std::span<double> out);

}  // namespace posenc::math
