#include "math/nearest_row.hpp"
#include "math/phase_table.hpp"
#include "math/random.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using namespace posenc::test;

namespace {
struct Moments {
  std::vector<double> mean, deviation;
};
Moments moments(const std::vector<double>& a, const std::vector<double>& b, std::int64_t columns, std::int64_t lags) {
  Moments m{std::vector<double>(static_cast<std::size_t>(lags)), std::vector<double>(static_cast<std::size_t>(lags))};
  products_by_lag(a.data(), b.data(), static_cast<std::int64_t>(a.size()) / columns, columns, lags, m.mean, m.deviation);
  return m;
}
std::vector<double> noise(std::int64_t size, const char* name) {
  std::vector<double> x(static_cast<std::size_t>(size));
  normal(Stream(4, name), 0, x);
  return x;
}
}  // namespace

TEST_CASE("means and deviations over a diagonal are those of the definition") {
  for (const auto& [rows, columns] : {std::pair{1, 3}, {2, 1}, {239, 5}, {240, 16}, {241, 7}, {1000, 24}, {400, 300}}) {
    const auto a = noise(rows * columns, "a"), b = noise(rows * columns, "b");
    for (const std::int64_t lags : {1, 2, 239, 240, 241, 1000}) {
      if (lags > rows) continue;
      const Moments m = moments(a, b, columns, lags);
      for (std::int64_t s = 0; s < lags; s += 1 + lags / 50) {
        std::vector<long double> g;
        long double mean = 0, square = 0;
        for (std::int64_t r = 0; r + s < rows; ++r) {
          long double sum = 0;
          for (std::int64_t k = 0; k < columns; ++k)
            sum += static_cast<long double>(a[static_cast<std::size_t>(r * columns + k)]) *
                   b[static_cast<std::size_t>((r + s) * columns + k)];
          g.push_back(sum);
          mean += sum / (rows - s);
        }
        for (const long double x : g) square += (x - mean) * (x - mean) / (rows - s);
        CHECK(std::abs(m.mean[static_cast<std::size_t>(s)] - static_cast<double>(mean)) <= 1e-14 * columns);
        CHECK(m.deviation[static_cast<std::size_t>(s)] ==
              Approx(static_cast<double>(std::sqrt(square))).epsilon(1e-11).margin(1e-14 * columns));
      }
    }
  }
}

TEST_CASE("a table whose products depend on the lag alone has deviation 0 up to the rounding of its entries") {
  const auto f = geometric(10000, 128);
  constexpr std::int64_t rows = 3000;
  std::vector<double> t(rows * 128);
  phase_table(f, 0, rows, RowLayout{128, 2, 1, 0}, t.data());
  const Moments m = moments(t, t, 128, rows);
  double most = 0, off_mean = 0;
  for (std::size_t s = 0; s < rows; ++s) {
    Real sum = 0;
    if (s % 97 == 0) {
      for (const Turn x : f) sum += cos(two_pi() * signed_turns(times(static_cast<std::int64_t>(s), x)));
      off_mean = std::max(off_mean, std::abs(m.mean[s] - sum.convert_to<double>()));
    }
    most = std::max(most, m.deviation[s]);
  }
  CHECK(most <= 128 * 4e-16);
  CHECK(off_mean <= 128 * 4e-16);
}

TEST_CASE("lags without rows are NaN, and threads change nothing") {
  const auto a = noise(100, "a");
  CHECK(std::isnan(moments(a, a, 10, 11).mean[10]));
  CHECK(std::isnan(moments(a, a, 10, 11).deviation[10]));
  CHECK(moments(a, a, 10, 11).deviation[9] == 0);
  const auto x = noise(3000 * 20, "x");
  const auto runs = at_thread_counts([&] { return moments(x, x, 20, 2500); });
  for (const Moments& m : runs) CHECK((same_bits(m.mean, runs[0].mean) && same_bits(m.deviation, runs[0].deviation)));
}
