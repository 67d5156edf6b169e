#include "math/partial_sums.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

namespace {
std::vector<double> means(const std::vector<Turn>& f, std::int64_t first, std::size_t count) {
  std::vector<double> out(count);
  mean_abs_partial_sum(f, first, out);
  return out;
}
}  // namespace

TEST_CASE("at lag 0 the partial sums are 1, 2 ... J") {
  for (const int dim : {2, 34, 128, 1000}) CHECK(means(geometric(10000, dim), 0, 1)[0] == (dim / 2 + 1) / 2.0);
}

TEST_CASE("one shared frequency has the closed form |sin(j x) / sin x|") {
  const std::vector<Turn> f(10, turn_from(Real(1) / Real(7)));
  const auto u = means(f, 1, 6);
  for (int s = 1; s <= 6; ++s) {
    double mean = 0;  // all steps in the same direction: |S_j| = j
    for (int j = 1; j <= 10; ++j) mean += j / 10.0;
    CHECK(u[static_cast<std::size_t>(s - 1)] == Approx(mean).epsilon(1e-15));
  }
  // Frequencies k / 16, k = 0..7, at lag 1: |S_j| = |sin(pi j / 16) / sin(pi / 16)|.
  std::vector<Turn> steps;
  for (int k = 0; k < 8; ++k) steps.push_back(turn_from(Real(k) / 16));
  double mean = 0;
  for (int j = 1; j <= 8; ++j) mean += std::abs(std::sin(M_PI * j / 16) / std::sin(M_PI / 16)) / 8;
  CHECK(means(steps, 1, 1)[0] == Approx(mean).epsilon(1e-15));
}

TEST_CASE("a value's bits depend on its lag alone") {
  for (const int dim : {2, 66, 130}) {
    const auto f = geometric(10000, dim);
    const auto whole = means(f, -100, 3000);
    for (const std::int64_t first : {-99, -64, -1, 0, 1, 63, 64, 1000}) {
      const auto begin = static_cast<std::size_t>(first + 100);
      const auto part = means(f, first, 200);
      CHECK(std::memcmp(part.data(), whole.data() + begin, 200 * 8) == 0);
    }
    const auto runs = at_thread_counts([&] { return means(f, 3, 5000); });
    CHECK((same_bits(runs[0], runs[1]) && same_bits(runs[0], runs[2])));
  }
}
