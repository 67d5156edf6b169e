#include "math/distinct_integers.hpp"

#include <algorithm>

namespace posenc::math {

std::int64_t distinct_integers(const BinaryFormat& f, std::int64_t horizon) {
  const auto largest = static_cast<std::int64_t>(std::min(static_cast<double>(horizon - 1), f.max));
  const std::int64_t consecutive = std::int64_t{1} << f.digits;
  if (largest < consecutive) return largest + 1;
  // 0 .. 2^digits - 1 are all there; each binade above has 2^(digits-1) values, the last as many as reach `largest`.
  std::int64_t count = consecutive, unit = 2, low = consecutive;
  for (; largest / 2 >= low; low *= 2, unit *= 2) count += consecutive / 2;
  count += (largest - low) / unit + 1;
  const double next = round_to(f, static_cast<double>(horizon - 1));
  return count + (std::isfinite(next) && next > static_cast<double>(horizon - 1));
}

std::optional<std::int64_t> first_shared_integer(const BinaryFormat& f, std::int64_t horizon) {
  const std::int64_t lower = std::int64_t{1} << f.digits;
  return horizon >= lower + 2 ? std::optional(lower) : std::nullopt;
}

}  // namespace posenc::math
