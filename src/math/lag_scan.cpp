#include "math/lag_scan.hpp"

#include "core/sink.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace posenc::math {
namespace {

constexpr std::int64_t first_block = 4096, largest_block = std::int64_t{1} << 18, chunk = 4096;
constexpr double margin = 2 * lag_curve_error;

/// Blocks that double in length, so that an early find costs little; their bounds depend on `from` and `to` alone.
template <class Body>
void each_block(std::int64_t from, std::int64_t to, const Body& body) {
  std::int64_t size = first_block;
  for (std::int64_t first = from; first < to; size = std::min(2 * size, largest_block)) {
    throw_if_stop_requested();
    const std::int64_t count = std::min(size, to - first);
    if (!body(first, count)) return;
    first += count;
  }
}

/// Whether any value of each chunk passes; a loop without branches, since nearly none does.
template <class Test>
std::vector<char> chunks_that(std::span<const double> values, const Test& passes) {
  const auto size = static_cast<std::int64_t>(values.size());
  std::vector<char> any(static_cast<std::size_t>((size + chunk - 1) / chunk));
  parallel_blocks(size, 8 * chunk, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t at = first; at < first + count; at += chunk) {
      const double* v = values.data() + at;
      const std::int64_t n = std::min(chunk, first + count - at);
      std::int64_t hits = 0;
      for (std::int64_t i = 0; i < n; ++i) hits += passes(v[i]);
      any[static_cast<std::size_t>(at / chunk)] = hits > 0;
    }
  });
  return any;
}

std::int64_t end_of(const LagCurve& curve, std::int64_t to) { return std::min({to, curve.lags, curve.settled + 1}); }

/// Hands over, in order, `from`, every local maximum of kappa that may exceed all those before it, and `to` - 1, each with its
/// 1 - kappa; with a margin for the error of the fast values. Stops when `found` returns false.
void returns(const LagCurve& curve, std::int64_t from, std::int64_t to, const std::function<bool(const Return&)>& found) {
  double best = -std::numeric_limits<double>::infinity();
  std::vector<double> kappa, deficit;
  std::vector<std::int64_t> candidates;
  each_block(from, to, [&](std::int64_t first, std::int64_t count) {
    // One lag more on either side; behind the last of all there is no neighbour.
    const bool ends = first + count >= curve.lags;
    kappa.assign(static_cast<std::size_t>(count + 2), -std::numeric_limits<double>::infinity());
    curve.fast(first - 1, std::span(kappa).first(static_cast<std::size_t>(count + (ends ? 1 : 2))));
    const double threshold = best - margin;
    const std::vector<char> any =
        chunks_that({kappa.data() + 1, static_cast<std::size_t>(count)}, [threshold](double k) { return k >= threshold; });
    candidates.clear();
    for (std::int64_t at = 0; at < count; at += chunk) {
      if (!any[static_cast<std::size_t>(at / chunk)]) continue;
      for (std::int64_t i = at; i < std::min(at + chunk, count); ++i) {
        const double* k = kappa.data() + i + 1;
        const std::int64_t s = first + i;
        if (!(k[0] >= best - margin)) continue;
        if (s != from && s != to - 1 && !(k[0] >= k[-1] - margin && k[0] >= k[1] - margin)) continue;
        best = std::max(best, k[0]);
        candidates.push_back(s);
      }
    }
    deficit.resize(candidates.size());
    curve.exact(candidates, deficit);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (!found({candidates[i], deficit[i]})) return false;
    return true;
  });
}

}  // namespace

double LagCurve::deficit(std::int64_t lag) const {
  double d = 0;
  exact({&lag, 1}, {&d, 1});
  return d;
}

LagCurve tabulated(std::vector<double> deficit) {
  const auto d = std::make_shared<const std::vector<double>>(std::move(deficit));
  return {[d](std::int64_t first, std::span<double> kappa) {
            for (std::size_t i = 0; i < kappa.size(); ++i) kappa[i] = 1 - (*d)[static_cast<std::size_t>(first) + i];
          },
          [d](std::span<const std::int64_t> lags, std::span<double> out) {
            for (std::size_t i = 0; i < lags.size(); ++i) out[i] = (*d)[static_cast<std::size_t>(lags[i])];
          },
          static_cast<std::int64_t>(d->size())};
}

std::optional<std::int64_t> first_at_most(const LagCurve& curve, double level, std::int64_t from, std::int64_t to) {
  std::optional<std::int64_t> at;
  std::vector<double> kappa;
  each_block(from, end_of(curve, to), [&](std::int64_t first, std::int64_t count) {
    kappa.resize(static_cast<std::size_t>(count));
    curve.fast(first, kappa);
    const double threshold = level + lag_tie + margin;
    const std::vector<char> any = chunks_that(kappa, [threshold](double k) { return k <= threshold; });
    for (std::size_t c = 0; c < any.size(); ++c) {
      if (!any[c]) continue;
      const std::size_t begin = c * chunk, end = std::min(begin + chunk, kappa.size());
      for (std::size_t i = begin; i < end && !at; ++i) {
        const std::int64_t s = first + static_cast<std::int64_t>(i);
        if (kappa[i] <= threshold && 1 - curve.deficit(s) <= level + lag_tie) at = s;
      }
      if (at) return false;
    }
    return true;
  });
  return at;
}

std::optional<Return> best_return(const LagCurve& curve, std::int64_t from, std::int64_t to) {
  std::optional<Return> best;
  double at_lag = 0;  // 1 - kappa at best->lag
  returns(curve, from, end_of(curve, to), [&](const Return& r) {
    if (!best || r.deficit <= at_lag - lag_tie) best = {r.lag, best ? best->deficit : r.deficit}, at_lag = r.deficit;
    best->deficit = std::min(best->deficit, r.deficit);
    return best->deficit > 1e-30;  // nothing comes nearer than an exact period
  });
  return best;
}

void record_returns(const LagCurve& curve, std::int64_t from, std::int64_t to, const std::function<void(const Return&)>& found) {
  double least = std::numeric_limits<double>::infinity();
  returns(curve, from, end_of(curve, to), [&](const Return& r) {
    const double distance = std::sqrt(r.deficit);
    if (r.lag > from && least - distance >= lag_tie && r.lag + 1 < curve.lags) {
      const double before = std::sqrt(curve.deficit(r.lag - 1)), after = std::sqrt(curve.deficit(r.lag + 1));
      if (before - distance >= lag_tie && distance - after < lag_tie) found(r);
    }
    least = std::min(least, distance);
    return least >= lag_tie;
  });
}

}  // namespace posenc::math
