#pragma once
// math: power spectra of real columns of any length.
#include <cstdint>
#include <span>

namespace posenc::math {

/// Largest error of sqrt(power[k]), divided by the root of the sum of the power of all frequencies, which is rows / columns times
/// the sum of squares of the table without its column means; at any number of rows to 2^22.
inline constexpr double mean_power_error = 5e-16;

/// Of the row-major table [rows][columns]: power[k] = (1/columns) sum_c | sum_m (x_mc - mean of column c) e^{-2 pi i k m / rows}
/// |^2 for k = 0..floor(rows/2). Any number of rows >= 1, large primes too: O(rows log rows) a column. Parallel over columns, at
/// most 0.6 KiB a row and thread of extra memory; same bits for any number of threads.
void mean_power_spectrum(const double* table, std::int64_t rows, std::int64_t columns, std::span<double> power);

}  // namespace posenc::math
