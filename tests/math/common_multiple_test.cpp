#include "math/common_multiple.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <vector>

using posenc::math::least_common_multiple;

TEST_CASE("least common multiples are exact at any size") {
  CHECK(least_common_multiple({}).digits == "1");
  CHECK(least_common_multiple({}).log10 == 0);
  CHECK(least_common_multiple(std::vector<std::uint64_t>{4, 6, 10, 6}).digits == "60");
  CHECK(least_common_multiple(std::vector<std::uint64_t>{4, 6, 10}).log10 == Approx(std::log10(60.0)).epsilon(1e-15));
  // lcm(1 .. 100), OEIS A003418
  std::vector<std::uint64_t> hundred;
  for (std::uint64_t n = 1; n <= 100; ++n) hundred.push_back(n);
  CHECK(least_common_multiple(hundred).digits == "69720375229712477164533808935312303556800");
  CHECK(least_common_multiple(hundred).log10 == Approx(40.8433597157838399).epsilon(1e-15));
}
