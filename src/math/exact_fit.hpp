#pragma once
// math: least squares of cosines and sines in arithmetic long enough for systems that are singular in float64.
#include "math/turn.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace posenc::math {

/// Digits of the arithmetic. Systems whose least pivot is below 10^-(digits - 60) of the largest are refused.
inline constexpr int exact_fit_digits = 360;

/// a(s) = sum_j x_j cos(s t_j) + y_j sin(s t_j) fitted without regularisation to unit white noise at s = 0 .. rows - 1: standard
/// deviation of a at each s of `at`, sqrt(phi(s)^T (Phi^T Phi)^-1 phi(s)), by a Cholesky factorisation of the closed-form
/// Phi^T Phi. Relative error 1e-15; NaN everywhere where the system is refused (equal or zero frequencies, rows < 2 size). Time:
/// cube of the number of frequencies, seconds for 64. Parallel over `at`; same bits for any number of threads.
std::vector<double> exact_fit_deviation(std::span<const Turn> frequency, std::int64_t rows, std::span<const std::int64_t> at);

}  // namespace posenc::math
