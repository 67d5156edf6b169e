#include "math/quantile.hpp"

#include "math/aligned.hpp"
#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

namespace posenc::math {
namespace {

constexpr std::int64_t few = 64;  // samples left to sort when the search by counting ends
constexpr int most_counts = 48;   // more are needed only where many samples are equal or far apart
constexpr double infinity = std::numeric_limits<double>::infinity();

/// One column, padded with infinities to whole vectors.
struct Column {
  Aligned values;
  std::int64_t count = 0, room = 0;
  double least = 0, greatest = 0;
  explicit Column(std::int64_t count) : values(simd::padded(count)), count(count), room(simd::padded(count)) {}

  void assign(const double* samples) {
    std::copy_n(samples, count, values.data());
    std::fill(values + count, values + room, infinity);
    const auto [low, high] = std::minmax_element(samples, samples + count);
    least = *low, greatest = *high;
  }
  /// Number of samples <= x, x finite.
  std::int64_t at_most(double x) const {
    using Counts = decltype(simd::Vec{} <= simd::Vec{});
    const simd::Vec bound = simd::all(x);
    Counts counts{};
    for (std::int64_t i = 0; i < room; i += simd::lanes) counts -= simd::load(values + i) <= bound;
    std::int64_t total = 0;
    for (int k = 0; k < simd::lanes; ++k) total += counts[k];
    return total;
  }
  std::vector<double> between(double above, double to) const {
    std::vector<double> found;
    std::copy_if(values.data(), values + count, std::back_inserter(found), [&](double v) { return v > above && v <= to; });
    return found;
  }
};

/// By counting: the counts at two values enclose the rank; the next value is where a straight line between them would meet it,
/// or the middle.
double of_rank(const Column& column, std::int64_t rank) {
  double low = -infinity, high = column.greatest;
  std::int64_t below = 0, upto = column.count;
  for (int k = 0; k < most_counts && upto - below > few; ++k) {
    const double from = std::isinf(low) ? column.least : low;
    const double share = (static_cast<double>(rank - below) - 0.5) / static_cast<double>(upto - below);
    const double at = from + (k % 3 == 2 ? 0.5 : share) * (high - from);
    if (!(at > low && at < high)) break;
    const std::int64_t counted = column.at_most(at);
    (counted >= rank ? high : low) = at;
    (counted >= rank ? upto : below) = counted;
  }
  std::vector<double> rest = column.between(low, high);
  const auto nth = rest.begin() + (rank - below - 1);
  std::nth_element(rest.begin(), nth, rest.end());
  return *nth;
}

}  // namespace

std::int64_t quantile_rank(double p, std::int64_t count) {
  const double product = p * static_cast<double>(count);
  return std::clamp(static_cast<std::int64_t>(std::ceil(product * (1 - 1e-12))), std::int64_t{1}, count);
}

void quantiles(const double* samples, std::int64_t columns, std::int64_t count, std::span<const double> p, double* out) {
  parallel_for(columns, [&](std::int64_t c) {
    Column column(count);
    column.assign(samples + c * count);
    for (std::size_t i = 0; i < p.size(); ++i)
      out[static_cast<std::size_t>(c) * p.size() + i] = of_rank(column, quantile_rank(p[i], count));
  });
}

}  // namespace posenc::math
