#pragma once
// math: nearest rows of a table and products of rows (kernel D).
#include <cstdint>
#include <functional>
#include <span>

namespace posenc::math {

/// For each row m of the row-major table [rows][columns]: the row n with |m - n| >= guard of least Euclidean distance, ties to
/// the lowest index; index -1 and distance NaN where there is none. Distances are recomputed by differences, relative error
/// 1e-13. Parallel, 0.5 or more of the machine's FMA peak; same bits for any number of threads.
void nearest_rows(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t guard, std::span<std::int64_t> index,
                  std::span<double> distance);

/// Moments over m of g = <a_m, b_{m+s}> for s = 0..lags-1 (b = a for a Gram), m = 0..rows-1-s: mean and population standard
/// deviation. a, b row-major [rows][columns]. Parallel; same bits for any number of threads.
void products_by_lag(const double* a, const double* b, std::int64_t rows, std::int64_t columns, std::int64_t lags,
                     std::span<double> mean, std::span<double> deviation);

}  // namespace posenc::math
