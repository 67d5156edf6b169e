#include "schemes/buckets.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>

namespace posenc::schemes {
namespace {

using Integer = boost::multiprecision::cpp_int;
using model::Pos;

Integer power(std::int64_t base, std::int64_t exponent) {
  return boost::multiprecision::pow(Integer(base), static_cast<unsigned>(exponent));
}

/// Smallest s in [low, high] with (s/from)^steps >= (to/from)^k; exists at s = to, k <= steps.
Pos first_at_least(Pos from, Pos to, std::int64_t k, std::int64_t steps) {
  const Integer right = power(to, k) * power(from, steps - k);
  Pos low = from, high = to;
  while (low < high) {
    const Pos middle = low + (high - low) / 2;
    if (power(middle, steps) >= right)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

}  // namespace

T5Side::T5Side(std::int64_t size, std::int64_t max_distance) {
  const std::int64_t exact = size / 2;
  for (Pos s = 0; s < exact; ++s) starts_.push_back(s);
  for (std::int64_t k = 0; k < size - exact; ++k) starts_.push_back(first_at_least(exact, max_distance, k, size - exact));
}

std::int64_t T5Side::of(Pos s) const { return std::upper_bound(starts_.begin(), starts_.end(), s) - starts_.begin() - 1; }

void T5Buckets::check(std::string_view owner) const {
  if (bidirectional && buckets % 2 != 0) reject(owner, "buckets", std::to_string(buckets), "must be even: half a side");
  const std::int64_t exact = buckets / (bidirectional ? 4 : 2);
  if (exact < 1) reject(owner, "buckets", std::to_string(buckets), fmt::format("must be >= {}", bidirectional ? 4 : 2));
  if (max_distance <= exact)
    reject(owner, "max-distance", std::to_string(max_distance),
           fmt::format("must exceed the number of exact buckets, {}", exact));
}

std::function<Pos(Pos, Pos)> T5Buckets::function() const {
  if (!bidirectional) return [side = T5Side(buckets, max_distance)](Pos m, Pos n) -> Pos { return n > m ? 0 : side.of(m - n); };
  return [side = T5Side(buckets / 2, max_distance), half = buckets / 2](Pos m, Pos n) -> Pos {
    return n > m ? half + side.of(n - m) : side.of(m - n);
  };
}

LogBuckets::LogBuckets(std::int64_t buckets, std::int64_t max_distance, bool clamped)
    : mid_(buckets / 2), buckets_(buckets), clamped_(clamped) {
  // Class mid + k holds |r| with (|r|/mid)^(mid-1) <= ((max-1)/mid)^k: it ends before the first |r| that exceeds that.
  const Pos top = max_distance - 1;
  ends_.push_back(mid_);
  for (std::int64_t k = 1; k < mid_; ++k) {
    const Pos at = first_at_least(mid_, top, k, mid_ - 1);
    const bool equal = power(at, mid_ - 1) == power(top, k) * power(mid_, mid_ - 1 - k);
    ends_.push_back(equal ? at : at - 1);
  }
}

std::int64_t LogBuckets::of(Pos r) const {
  const Pos distance = std::abs(r);
  if (distance <= mid_) return r;
  const auto k = std::lower_bound(ends_.begin(), ends_.end(), distance) - ends_.begin();  // first class that ends at or after it
  const std::int64_t bucket = k < mid_ ? mid_ + k : clamped_ ? mid_ + mid_ - 1 : buckets_;
  return r > 0 ? bucket : -bucket;
}

}  // namespace posenc::schemes
