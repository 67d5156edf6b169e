#pragma once
// math: searches of a curve of the lag: first fall, best return, record returns. Memory is bounded at any horizon.
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace posenc::math {

/// Differences below it are rounding and never decide an index.
inline constexpr double lag_tie = 1e-14;

/// kappa(s) <= 1, s = 0 .. lags - 1, known in two ways.
struct LagCurve {
  /// kappa(first + i), absolute error lag_curve_error; called with hundreds of thousands of lags at a time.
  std::function<void(std::int64_t first, std::span<double> kappa)> fast;
  /// 1 - kappa at lags given one by one, without cancellation. Decides every index.
  std::function<void(std::span<const std::int64_t> lags, std::span<double> deficit)> exact;
  std::int64_t lags = std::numeric_limits<std::int64_t>::max();
  /// From here on kappa is constant to within 1e-15 (damping); searches go no further.
  std::int64_t settled = std::numeric_limits<std::int64_t>::max() - 1;

  double deficit(std::int64_t lag) const;
};
inline constexpr double lag_curve_error = 2e-14;

/// A curve held in memory, given as 1 - kappa.
LagCurve tabulated(std::vector<double> deficit);

/// The first s in from .. to - 1 with kappa(s) <= level. These searches throw Error when a stop was asked for; from >= 1; a `to`
/// beyond the curve's lags means all of them.
std::optional<std::int64_t> first_at_most(const LagCurve& curve, double level, std::int64_t from, std::int64_t to);

struct Return {
  std::int64_t lag;
  double deficit;
};
/// Largest kappa in from .. to - 1: the first lag that has it to within lag_tie, and the least 1 - kappa. Empty range: nothing.
std::optional<Return> best_return(const LagCurve& curve, std::int64_t from, std::int64_t to);

/// With D = sqrt(1 - kappa): each s in from .. to - 1 with D(s) < D(s - 1), D(s) <= D(s + 1) and D(s) < D(s') for
/// from <= s' < s, in order.
void record_returns(const LagCurve& curve, std::int64_t from, std::int64_t to, const std::function<void(const Return&)>& found);

}  // namespace posenc::math
