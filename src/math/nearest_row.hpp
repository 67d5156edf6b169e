#pragma once
// math: nearest rows of a table and products of rows (kernel D).
#include <cstdint>
#include <functional>
#include <span>

namespace posenc::math {

/// For each row m of the row-major table [rows][columns]: the row n with |m - n| >= guard of least Euclidean distance; index
/// -1 and distance NaN where there is none. Distances that exceed the least by at most nearest_row_tie times sqrt(2) times the
/// root mean square of the row norms are ties, of which the lowest n is taken: rounding in the table never decides.
/// Distances are sums of squared differences, relative error 1e-13. Parallel; same bits for any number of threads.
inline constexpr double nearest_row_tie = 1e-14;
void nearest_rows(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t guard, std::span<std::int64_t> index,
                  std::span<double> distance);

/// Moments over m of g = <a_m, b_{m+s}> for s = 0..lags-1 (b = a for a Gram), m = 0..rows-1-s: mean and population standard
/// deviation. a, b row-major [rows][columns]. Parallel; same bits for any number of threads.
void products_by_lag(const double* a, const double* b, std::int64_t rows, std::int64_t columns, std::int64_t lags,
                     std::span<double> mean, std::span<double> deviation);

}  // namespace posenc::math
