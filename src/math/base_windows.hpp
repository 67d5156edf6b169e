#pragma once
// math: the bases b for which B_b(m) = sum_{i<pairs} cos(m b^(-i/pairs)) >= 0 at every integer 0 <= m < lags.
#include <cstdint>
#include <optional>
#include <vector>

namespace posenc::math {

/// Bases low <= b < high all hold, as far as the grid saw; high is infinite for the last window.
struct BaseWindow {
  double low, high;
};

/// Where and how finely windows are searched.
struct BaseGrid {
  double first = 1.5, last = 1e9;
  double step = 1e-4;  // in ln b
};
/// Relative width to which an edge of a window is enclosed.
inline constexpr double window_edge_error = 1e-11;

/// The windows in increasing order: runs of grid points that hold, their edges bisected to window_edge_error. Windows and gaps
/// between two neighbouring grid points are not seen. The last window reaches infinity if `last` holds. Parallel; same bits for
/// any number of threads. Throws Error when a stop was asked for.
std::vector<BaseWindow> base_windows(std::int64_t pairs, std::int64_t lags, const BaseGrid& grid = {});

/// Su 2024 (kexue.fm 10122): from B = 1000 lags, for k = 1 .. levels: B becomes the first of B/10^k, 2B/10^k, ..., B that holds.
/// Nothing if 1000 lags does not hold.
std::optional<double> nested_grid_base(std::int64_t pairs, std::int64_t lags, int levels);

/// The least base of two significant digits, 1.1 to 9.9e17, that holds.
std::optional<double> two_digit_base(std::int64_t pairs, std::int64_t lags);

}  // namespace posenc::math
