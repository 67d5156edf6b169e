#include "math/base_windows.hpp"

#include "core/sink.hpp"
#include "math/geometric_check.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::math {
namespace {

constexpr std::int64_t points_a_task = 256, points_a_pass = 8192;

/// The edge between a base that holds and one that does not. The lag that fails outside has its sign change bisected; where
/// another lag fails just inside, it is that one's turn.
double edge(GeometricCheck& check, double holds, double fails) {
  while (true) {
    const auto lag = check.negative_lag(fails);
    if (!lag) return fails;  // cannot be: the caller saw it fail
    double inside = holds;
    while (std::abs(fails - inside) > window_edge_error * std::min(fails, inside)) {
      const double middle = std::sqrt(inside * fails);
      (check.sum(middle, *lag) < 0 ? fails : inside) = middle;
    }
    const auto next = check.negative_lag(inside);
    if (!next) return inside;
    fails = inside;
  }
}

}  // namespace

std::vector<BaseWindow> base_windows(std::int64_t pairs, std::int64_t lags, const BaseGrid& grid) {
  const double start = std::log(grid.first);
  const auto points = static_cast<std::int64_t>(std::ceil((std::log(grid.last) - start) / grid.step)) + 1;
  const auto base = [&](std::int64_t k) {
    return k == points - 1 ? grid.last : std::exp(start + static_cast<double>(k) * grid.step);
  };
  std::vector<char> holds(static_cast<std::size_t>(points));
  for (std::int64_t pass = 0; pass < points; pass += points_a_pass) {
    throw_if_stop_requested();
    parallel_blocks(std::min(points_a_pass, points - pass), points_a_task, [&](std::int64_t first, std::int64_t count) {
      GeometricCheck check(pairs, lags);
      for (std::int64_t k = pass + first; k < pass + first + count; ++k)
        holds[static_cast<std::size_t>(k)] = check.nonnegative(base(k));
    });
  }
  std::vector<std::int64_t> changes;  // k where point k differs from k - 1
  for (std::int64_t k = 1; k < points; ++k)
    if (holds[static_cast<std::size_t>(k)] != holds[static_cast<std::size_t>(k - 1)]) changes.push_back(k);
  std::vector<double> edges(changes.size());
  parallel_blocks(std::ssize(changes), 8, [&](std::int64_t first, std::int64_t count) {
    GeometricCheck check(pairs, lags);
    for (std::int64_t i = first; i < first + count; ++i) {
      const std::int64_t k = changes[static_cast<std::size_t>(i)];
      const bool opens = holds[static_cast<std::size_t>(k)];
      edges[static_cast<std::size_t>(i)] = edge(check, base(opens ? k : k - 1), base(opens ? k - 1 : k));
    }
  });
  std::vector<BaseWindow> out;
  if (holds.front()) out.push_back({grid.first, std::numeric_limits<double>::infinity()});
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (holds[static_cast<std::size_t>(changes[i])])
      out.push_back({edges[i], std::numeric_limits<double>::infinity()});
    else
      out.back().high = edges[i];
  }
  return out;
}

std::optional<double> nested_grid_base(std::int64_t pairs, std::int64_t lags, int levels) {
  GeometricCheck check(pairs, lags);
  double least = 1000 * static_cast<double>(lags);
  if (!check.nonnegative(least)) return {};
  for (int k = 1; k <= levels; ++k) {
    throw_if_stop_requested();
    const double whole = least, parts = std::pow(10.0, k);
    for (double i = 1; i <= parts; ++i) {
      const double b = i / parts * whole;
      if (!(b > 1) || !check.nonnegative(b)) continue;
      least = b;
      break;
    }
  }
  return least;
}

std::optional<double> two_digit_base(std::int64_t pairs, std::int64_t lags) {
  GeometricCheck check(pairs, lags);
  double scale = 0.1;
  for (int exponent = 0; exponent < 18; ++exponent) {
    throw_if_stop_requested();
    for (int digits = exponent == 0 ? 11 : 10; digits < 100; ++digits) {
      const double b = exponent == 0 ? digits / 10.0 : digits * scale;
      if (check.nonnegative(b)) return b;
    }
    scale = exponent == 0 ? 1 : scale * 10;
  }
  return {};
}

}  // namespace posenc::math
