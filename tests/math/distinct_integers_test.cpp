#include "math/distinct_integers.hpp"

#include "support/catch.hpp"

#include <set>

using namespace posenc::math;

TEST_CASE("distinct integers are those of an enumeration") {
  const BinaryFormat small{3, -6, 28};  // 3 digits, up to 28: overflow within reach
  for (const BinaryFormat& f : {small, bf16_format, f16_format}) {
    std::set<double> seen;
    std::optional<std::int64_t> shared;
    for (std::int64_t m = 0; m < 70000; ++m) {
      const double x = round_to(f, static_cast<double>(m));
      if (!std::isinf(x) && !seen.insert(x).second && !shared) shared = m - 1;
      if (m < 3000 || m % 997 == 0 || m > 65400) {
        CHECK(distinct_integers(f, m + 1) == static_cast<std::int64_t>(seen.size()));
        CHECK(first_shared_integer(f, m + 1) == shared);
      }
    }
  }
}

TEST_CASE("float32 tells integers apart to 2^24, and 2^53 of them as the binades say") {
  CHECK_FALSE(first_shared_integer(f32_format, (1 << 24) + 1).has_value());
  CHECK(first_shared_integer(f32_format, (1 << 24) + 2) == 1 << 24);
  CHECK(distinct_integers(f32_format, 1 << 24) == 1 << 24);
  // 2^24 below 2^24, then 29 binades of 2^23, and 2^53 to which the last integers round
  CHECK(distinct_integers(f32_format, std::int64_t{1} << 53) == (1 << 24) + 29 * (1 << 23) + 1);
}
