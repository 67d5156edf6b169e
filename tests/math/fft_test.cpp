#include "math/fft.hpp"

#include "math/random.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>
#include <numbers>

using namespace posenc::math;
using namespace posenc::test;

namespace {
std::vector<double> power(const std::vector<double>& table, std::int64_t columns) {
  const auto rows = static_cast<std::int64_t>(table.size()) / columns;
  std::vector<double> out(static_cast<std::size_t>(rows / 2 + 1));
  mean_power_spectrum(table.data(), rows, columns, out);
  return out;
}
std::vector<double> noise(std::int64_t rows, std::int64_t columns) {
  std::vector<double> x(static_cast<std::size_t>(rows * columns));
  normal(Stream(1, "spectrum"), 0, x);
  return x;
}
}  // namespace

TEST_CASE("a wave of whole turns has power n^2 / 4 at its number of turns and none elsewhere") {
  for (const std::int64_t rows : {8, 64, 100, 1009, 4096, 65536, 65537, 100003, 131072}) {
    const std::int64_t turns = rows / 3;
    constexpr auto pi = std::numbers::pi_v<long double>;
    std::vector<double> x(static_cast<std::size_t>(rows));
    for (std::int64_t m = 0; m < rows; ++m)
      x[static_cast<std::size_t>(m)] =
          static_cast<double>(std::cos(2 * pi * static_cast<long double>(turns * m % rows) / static_cast<long double>(rows)) + 5);
    const auto p = power(x, 1);
    const double n = static_cast<double>(rows);
    INFO("rows " << rows);
    CHECK(std::sqrt(p[static_cast<std::size_t>(turns)]) == Approx(n / 2).epsilon(1e-14));
    // The rest: the transform and the rounding of the wave's entries, 6 at most.
    double rest = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      if (k != static_cast<std::size_t>(turns)) rest = std::max(rest, std::sqrt(p[k]));
    CHECK(rest <= 2 * mean_power_error * n / std::sqrt(2));
  }
}

TEST_CASE("Parseval: the powers of all frequencies sum to n times the sum of squares") {
  for (const std::int64_t rows : {2, 3, 10, 127, 128, 1000, 4099, 70001})
    for (const std::int64_t columns : {1, 3, 16, 17, 40}) {
      if (rows > 5000 && columns > 3) continue;
      const auto x = noise(rows, columns);
      const auto p = power(x, columns);
      double squares = 0, all = 0;
      for (std::int64_t c = 0; c < columns; ++c) {
        long double mean = 0, sum = 0;
        for (std::int64_t m = 0; m < rows; ++m) mean += x[static_cast<std::size_t>(m * columns + c)];
        mean /= rows;
        for (std::int64_t m = 0; m < rows; ++m) {
          const long double v = x[static_cast<std::size_t>(m * columns + c)] - mean;
          sum += v * v;
        }
        squares += static_cast<double>(sum);
      }
      for (std::size_t k = 0; k < p.size(); ++k) all += (k == 0 || 2 * static_cast<std::int64_t>(k) == rows ? 1 : 2) * p[k];
      CHECK(all == Approx(static_cast<double>(rows) * squares / static_cast<double>(columns)).epsilon(1e-13));
    }
}

TEST_CASE("columns do not disturb each other, and threads change nothing") {
  constexpr std::int64_t rows = 500, columns = 37;
  const auto x = noise(rows, columns);
  std::vector<double> mean(rows / 2 + 1);
  for (std::int64_t c = 0; c < columns; ++c) {
    std::vector<double> one(rows);
    for (std::int64_t m = 0; m < rows; ++m) one[static_cast<std::size_t>(m)] = x[static_cast<std::size_t>(m * columns + c)];
    const auto p = power(one, 1);
    for (std::size_t k = 0; k < p.size(); ++k) mean[k] += p[k] / columns;
  }
  const auto p = power(x, columns);
  for (std::size_t k = 1; k < p.size(); ++k) CHECK(p[k] == Approx(mean[k]).epsilon(1e-13));
  const auto runs = at_thread_counts([&] { return power(x, columns); });
  CHECK((same_bits(runs[0], runs[1]) && same_bits(runs[0], runs[2])));
}
