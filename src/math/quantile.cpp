#include "math/quantile.hpp"

#include "math/aligned.hpp"
#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr int strands = 4;  // independent accumulators of a pass
constexpr std::int64_t stride = strands * simd::lanes;
constexpr std::int64_t few = 4;  // samples left when the search steps from one to the next

/// One column of samples on cache lines, infinities behind the last.
class Column {
 public:
  explicit Column(std::int64_t count) : count_(count), room_((count + stride - 1) / stride * stride), values_(room_) {}

  void assign(const double* samples) {
    std::copy_n(samples, count_, values_.data());
    std::fill(values_ + count_, values_ + room_, infinity);
    least_ = next_above(-infinity);
    greatest_ = *std::max_element(samples, samples + count_);
  }
  std::int64_t count() const { return count_; }
  double least() const { return least_; }
  double greatest() const { return greatest_; }

  /// Number of samples <= x, x finite.
  std::int64_t at_most(double x) const {
    simd::Whole counts[strands] = {};
    const Vec bound = simd::all(x);
    for (std::int64_t i = 0; i < room_; i += stride)
#pragma GCC unroll 4
      for (int k = 0; k < strands; ++k) counts[k] -= simd::load(values_ + i + k * simd::lanes) <= bound;
    const simd::Whole all = counts[0] + counts[1] + counts[2] + counts[3];
    std::int64_t total = 0;
    for (int k = 0; k < simd::lanes; ++k) total += all[k];
    return total;
  }
  /// The least sample > x.
  double next_above(double x) const {
    Vec least[strands];
    std::fill_n(least, strands, simd::all(infinity));
    const Vec bound = simd::all(x);
    for (std::int64_t i = 0; i < room_; i += stride)
#pragma GCC unroll 4
      for (int k = 0; k < strands; ++k) {
        const Vec v = simd::load(values_ + i + k * simd::lanes);
        least[k] = v > bound && v < least[k] ? v : least[k];
      }
    double all = infinity;
    for (const Vec& v : least)
      for (int k = 0; k < simd::lanes; ++k) all = std::min<double>(all, v[k]);
    return all;
  }

 private:
  std::int64_t count_, room_;
  Aligned values_;
  double least_ = 0, greatest_ = 0;
};

/// The double half way between two in the order of all doubles, so that 64 halvings tell any two apart.
double halfway(double a, double b) {
  const auto key = [](std::int64_t i) { return i ^ (i >> 63 & std::numeric_limits<std::int64_t>::max()); };
  return std::bit_cast<double>(key(std::midpoint(key(std::bit_cast<std::int64_t>(a)), key(std::bit_cast<std::int64_t>(b)))));
}

/// By counting: the counts at two values enclose the rank; the next value is where a straight line between them meets it, every
/// third time the one halfway.
double of_rank(const Column& column, std::int64_t rank) {
  double low = -infinity, high = column.greatest();
  std::int64_t below = 0, upto = column.count();
  for (int k = 1; upto - below > few; ++k) {
    const double from = std::max(low, column.least());
    const double share = (static_cast<double>(rank - below) - 0.5) / static_cast<double>(upto - below);
    const double at = k % 3 == 0 ? halfway(from, high) : from + share * (high - from);
    if (!(at > low && at < high)) {
      if (k % 3 == 0) break;  // no double lies between
      continue;
    }
    const std::int64_t counted = column.at_most(at);
    (counted >= rank ? high : low) = at;
    (counted >= rank ? upto : below) = counted;
  }
  for (;;) {
    low = column.next_above(low);
    if (low >= high || column.at_most(low) >= rank) return low;
  }
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
