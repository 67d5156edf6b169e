#include "math/quantile.hpp"

#include "math/random.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <algorithm>
#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

TEST_CASE("the rank is ceil(p n), products that are whole but for rounding counted as whole") {
  CHECK(quantile_rank(0.05, 4096) == 205);
  CHECK(quantile_rank(0.5, 4096) == 2048);
  CHECK(quantile_rank(0.5, 5) == 3);
  CHECK(quantile_rank(1, 5) == 5);
  CHECK(quantile_rank(0.07, 100) == 7);  // 0.07 * 100 is 7.000000000000001 in doubles
  CHECK(quantile_rank(0.29, 100) == 29);
  CHECK(quantile_rank(1e-9, 10) == 1);
  CHECK(quantile_rank(0.3, 1) == 1);
}

namespace {
const std::vector<double> shares{1e-6, 0.05, 0.25, 0.5, 0.75, 0.95, 0.999, 1};
std::vector<double> ours(const std::vector<double>& samples, std::int64_t columns) {
  std::vector<double> out(shares.size() * static_cast<std::size_t>(columns));
  quantiles(samples.data(), columns, static_cast<std::int64_t>(samples.size()) / columns, shares, out.data());
  return out;
}
std::vector<double> sorted(std::vector<double> samples, std::int64_t columns) {
  const auto count = static_cast<std::ptrdiff_t>(samples.size()) / columns;
  std::vector<double> out;
  for (std::ptrdiff_t c = 0; c < columns; ++c) {
    std::sort(samples.begin() + c * count, samples.begin() + (c + 1) * count);
    for (const double p : shares) out.push_back(samples[static_cast<std::size_t>(c * count + quantile_rank(p, count) - 1)]);
  }
  return out;
}
}  // namespace

TEST_CASE("quantiles are the samples that sorting finds") {
  for (const std::int64_t count : {1, 2, 3, 7, 31, 32, 33, 100, 4096, 5001})
    for (int kind = 0; kind < 8; ++kind) {
      constexpr std::int64_t columns = 6;
      std::vector<double> x(static_cast<std::size_t>(count * columns));
      normal(Stream(static_cast<std::uint64_t>(kind), "quantiles"), 0, x);
      for (std::size_t i = 0; i < x.size(); ++i) {
        if (kind == 1) x[i] = std::round(x[i]);                                        // many equal
        if (kind == 2) x[i] = 4;                                                       // all equal
        if (kind == 3) x[i] = std::exp(200 * x[i]);                                    // hundreds of decades
        if (kind == 4) x[i] = x[i] > 0 ? 1e300 : -1e300;                               // two values whose difference overflows
        if (kind == 5) x[i] = static_cast<double>(i);                                  // in order
        if (kind == 6) x[i] = 1 + std::round(4 * x[i]) * 0x1p-52;                      // neighbours
        if (kind == 7) x[i] = std::copysign(std::abs(x[i]) < 1 ? 0.0 : 1e-320, x[i]);  // zeros and subnormals
      }
      INFO("count " << count << " kind " << kind);
      CHECK(ours(x, columns) == sorted(x, columns));
    }
}

TEST_CASE("threads change nothing") {
  std::vector<double> x(4096 * 20);
  normal(Stream(9, "quantiles"), 0, x);
  const auto runs = at_thread_counts([&] { return ours(x, 20); });
  CHECK((same_bits(runs[0], runs[1]) && same_bits(runs[0], runs[2])));
}
