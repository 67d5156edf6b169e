#include "math/base_windows.hpp"

#include "math/geometric_check.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::math;

namespace {

double exact_sum(std::int64_t pairs, double base, std::int64_t lag) {
  Real sum = 0;
  for (std::int64_t i = 0; i < pairs; ++i) sum += cos(lag * exp(-i * log(Real(base)) / pairs));
  return sum.convert_to<double>();
}
/// In 64-bit significands: a phase error of 2^-63 of the phase.
long double least_sum(std::int64_t pairs, double base, std::int64_t lags) {
  std::vector<long double> theta;
  for (std::int64_t i = 0; i < pairs; ++i)
    theta.push_back(
        std::exp(-static_cast<long double>(i) * std::log(static_cast<long double>(base)) / static_cast<long double>(pairs)));
  long double least = static_cast<long double>(pairs);
  for (std::int64_t m = 0; m < lags; ++m) {
    long double sum = 0;
    for (const long double t : theta) sum += std::cos(static_cast<long double>(m) * t);
    least = std::min(least, sum);
  }
  return least;
}

}  // namespace

TEST_CASE("sums of cosines are those of 113-bit arithmetic") {
  for (const std::int64_t pairs : {1, 7, 64, 128})
    for (const double base : {1.7, 500.0, 1e4, 3.7e8}) {
      GeometricCheck check(pairs, 1 << 20);
      for (const std::int64_t lag : {0, 1, 37, 4095, 1000003}) {
        double slope = 0;  // of the sum with the logarithms of the frequencies
        for (std::int64_t i = 0; i < pairs; ++i)
          slope += static_cast<double>(lag) * std::pow(base, -static_cast<double>(i) / static_cast<double>(pairs));
        const double bound = geometric_sum_error * static_cast<double>(pairs) + 1e-14 * slope;
        CHECK(std::abs(check.sum(base, lag) - exact_sum(pairs, base, lag)) <= bound);
      }
    }
}

TEST_CASE("a negative sum is found wherever a look at every lag finds one, whatever was asked before") {
  for (const std::int64_t pairs : {1, 5, 16, 64})
    for (const std::int64_t lags : {1, 2, 31, 64, 65, 200, 1000, 5000}) {
      GeometricCheck upwards(pairs, lags), downwards(pairs, lags);
      std::vector<double> bases;
      for (double b = 1.6; b<1e8; b *= lags> 500 ? 2.3 : 1.31) bases.push_back(b);
      std::vector<char> first;
      for (const double b : bases) {
        const auto lag = upwards.negative_lag(b);
        first.push_back(!lag);
        const long double least = least_sum(pairs, b, lags);
        if (std::abs(least) > 1e-9L) CHECK(lag.has_value() == (least < 0));
        if (lag) CHECK(upwards.sum(b, *lag) < 0);
        if (lag) CHECK((*lag >= 0 && *lag < lags));
      }
      for (std::size_t i = bases.size(); i-- > 0;) CHECK(downwards.nonnegative(bases[i]) == static_cast<bool>(first[i]));
    }
}

TEST_CASE("windows open and close where a sum crosses zero") {
  // Below a length of 3 and for two pairs: cos(m) + cos(m / sqrt b) >= 0 at m = 0, 1, 2. At m = 2: cos(2 / sqrt b) >= -cos 2,
  // so sqrt b >= 2 / arccos(-cos 2).
  const auto two = base_windows(2, 3);
  REQUIRE(two.size() == 1);
  CHECK(two[0].low == Approx(std::pow(2 / std::acos(-std::cos(2.0)), 2)).epsilon(2 * window_edge_error));
  CHECK(std::isinf(two[0].high));
  // One pair does not depend on the base: cos 2 < 0, cos 1 > 0.
  CHECK(base_windows(1, 3).empty());
  CHECK(base_windows(1, 2).size() == 1);

  for (const auto& w : base_windows(8, 300, {.last = 1e6, .step = 1e-3})) {
    const double off = 1e-9;
    CHECK(least_sum(8, w.low * (1 + off), 300) >= 0);
    CHECK(least_sum(8, w.low * (1 - off), 300) < 0);
    if (std::isinf(w.high)) continue;
    CHECK(least_sum(8, w.high * (1 - off), 300) >= 0);
    CHECK(least_sum(8, w.high * (1 + off), 300) < 0);
  }
}

TEST_CASE("the windows do not depend on the number of threads") {
  const auto results = posenc::test::at_thread_counts([] {
    std::vector<double> flat;
    for (const auto& w : base_windows(32, 700, {.last = 1e7})) flat.push_back(w.low), flat.push_back(w.high);
    return flat;
  });
  CHECK(results[0].size() > 2);
  CHECK(posenc::test::same_bits(results[0], results[1]));
  CHECK(posenc::test::same_bits(results[0], results[2]));
}

TEST_CASE("the nested grids of Su 2024 and the enumeration of two digits at lengths where both are published") {
  // Su 2024 (kexue.fm/archives/10122): 4.3e3, 1.2e4, 2.7e4 for 1k, 2k, 4k = 1024, ...; Men 2024: 4.3e3, 1.6e4, 2.7e4 with 1k =
  // 1000.
  CHECK(*nested_grid_base(64, 1024, 5) == Approx(4.3e3).epsilon(0.01));
  CHECK(*nested_grid_base(64, 2048, 5) == Approx(1.2e4).epsilon(0.04));
  CHECK(*nested_grid_base(64, 4096, 5) == Approx(2.7e4).epsilon(0.01));
  CHECK(two_digit_base(64, 1000) == 4300.0);
  CHECK(two_digit_base(64, 2000) == 16000.0);
  CHECK(two_digit_base(64, 4000) == 27000.0);
  CHECK_FALSE(two_digit_base(1, 3).has_value());
  CHECK_FALSE(nested_grid_base(1, 3, 2).has_value());
}
