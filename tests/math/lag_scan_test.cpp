#include "math/lag_scan.hpp"
#include "core/error.hpp"
#include "core/sink.hpp"
#include "math/cosine_sum.hpp"
#include "math/random.hpp"
#include "support/catch.hpp"

#include <chrono>
#include <cmath>
#include <csignal>
#include <numbers>

using namespace posenc::math;

namespace {

std::vector<double> drawn_deficits(std::int64_t size, std::uint64_t seed, double coarse) {
  std::vector<double> u(static_cast<std::size_t>(size));
  uniform(Stream(seed, "lag scan"), 0, u);
  for (double& x : u) x = coarse > 0 ? std::floor(x * coarse) / coarse : 2 * x;
  return u;
}

/// The definitions, over every pair of lags.
std::optional<std::int64_t> naive_first(const std::vector<double>& d, double level, std::int64_t from, std::int64_t to) {
  for (std::int64_t s = from; s < to; ++s)
    if (1 - d[static_cast<std::size_t>(s)] <= level + 1e-14) return s;
  return {};
}
std::vector<std::int64_t> naive_records(const std::vector<double>& d, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> out;
  const auto D = [&](std::int64_t s) { return std::sqrt(d[static_cast<std::size_t>(s)]); };
  for (std::int64_t s = from + 1; s < to && s + 1 < static_cast<std::int64_t>(d.size()); ++s) {
    bool record = D(s - 1) - D(s) >= 1e-14 && D(s) - D(s + 1) < 1e-14;
    for (std::int64_t before = from; record && before < s; ++before) record = D(before) - D(s) >= 1e-14;
    if (record) out.push_back(s);
  }
  return out;
}
std::int64_t naive_best(const std::vector<double>& d, std::int64_t from, std::int64_t to) {
  std::int64_t best = from;
  for (std::int64_t s = from; s < to; ++s)
    if (d[static_cast<std::size_t>(s)] <= d[static_cast<std::size_t>(best)] - 1e-14) best = s;
  return best;
}

std::vector<std::int64_t> records(const LagCurve& c, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> out;
  record_returns(c, from, to, [&](const Return& r) { out.push_back(r.lag); });
  return out;
}

/// Fast values as wrong as they may be.
LagCurve blurred(const std::vector<double>& d) {
  LagCurve c = tabulated(d);
  c.fast = [fast = c.fast](std::int64_t first, std::span<double> out) {
    fast(first, out);
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += ((static_cast<std::size_t>(first) + i) % 3 - 1.0) * lag_curve_error;
  };
  return c;
}

LagCurve rotation(const std::vector<Turn>& turns) {
  const std::vector<double> weight(turns.size(), 1.0 / static_cast<double>(turns.size()));
  return {[=](std::int64_t first, std::span<double> out) { cosine_sum(turns, weight, {}, first, out); },
          [=](std::span<const std::int64_t> lags, std::span<double> out) { cosine_deficit_at(turns, weight, {}, lags, out); }};
}
Turn turn_of(double theta) {
  const long double f = static_cast<long double>(theta) / (2 * std::numbers::pi_v<long double>);
  return {static_cast<std::uint64_t>(std::ldexp(f - std::floor(f), 64)), 0};
}

}  // namespace

TEST_CASE("searches agree with the definitions on drawn curves, ties and wrong fast values included") {
  for (const std::uint64_t seed : {1, 2, 3, 4})
    for (const double coarse : {0.0, 7.0, 40.0})
      for (const std::int64_t size : {2, 3, 500, 9001}) {
        const std::vector<double> d = drawn_deficits(size, seed, coarse);
        const LagCurve c = blurred(d);
        for (const std::int64_t from : {std::int64_t{1}, size / 3 + 1})
          for (const std::int64_t to : {size - 1, size, size + 50}) {
            if (from >= std::min(to, size)) continue;
            INFO("seed " << seed << ", " << coarse << " levels, lags " << from << " to " << to << " of " << size);
            const std::int64_t end = std::min(to, size);
            for (const double level : {-0.9, 0.1, 0.99})
              CHECK(first_at_most(c, level, from, to) == naive_first(d, level, from, end));
            CHECK(records(c, from, to) == naive_records(d, from, end));
            const auto best = best_return(c, from, to);
            REQUIRE(best);
            CHECK(best->lag == naive_best(d, from, end));
            CHECK(best->deficit == *std::min_element(d.begin() + from, d.begin() + end));
          }
      }
}

TEST_CASE("nothing is found in an empty range") {
  const LagCurve c = tabulated({0, 1, 0.5});
  CHECK_FALSE(first_at_most(c, 2, 3, 3));
  CHECK_FALSE(best_return(c, 7, 20));
  CHECK(records(c, 3, 9).empty());
}

TEST_CASE("near returns far below the rounding of kappa are found: convergents of 2 pi") {
  // One frequency 1: a lag is a record where it is nearer to a multiple of 2 pi than all before. Past the guard 2 these are the
  // best approximations of the first kind to 2 pi from 6/1 on: numerators of convergents and of the intermediate fractions that
  // are nearer; D(710) = sqrt(2) |sin 355| = 4.3e-5, D(103993) = 1.4e-5 ...
  const LagCurve c = rotation({turn_of(1)});
  const auto found = records(c, 2, 2'000'000);
  std::vector<std::int64_t> expected;
  long double least = 10;
  for (std::int64_t s = 2; s < 2'000'000; ++s) {
    const long double x = std::abs(std::remainder(static_cast<long double>(s), 2 * std::numbers::pi_v<long double>));
    if (x < least && s > 2) {
      const long double before = std::abs(std::remainder(s - 1.0L, 2 * std::numbers::pi_v<long double>));
      const long double after = std::abs(std::remainder(s + 1.0L, 2 * std::numbers::pi_v<long double>));
      if (x < before && x <= after) expected.push_back(s);
    }
    least = std::min(least, x);
  }
  CHECK(found == expected);
}

TEST_CASE("an exact period ends the search") {
  const Turn seventh{0x2492492492492492, 0x4924924924924925};
  CHECK(records(rotation({seventh}), 2, std::int64_t{1} << 50) == std::vector<std::int64_t>{7});
  const auto best = best_return(rotation({seventh, seventh + seventh}), 2, std::int64_t{1} << 50);
  CHECK(best->lag == 7);
  CHECK(best->deficit < 1e-60);
}

TEST_CASE("a curve that has settled is not searched to a far horizon") {
  const std::vector<Turn> turns{turn_of(1), turn_of(0.01)};
  const std::vector<double> weight{0.5, 0.5}, damping{-0.01, -0.02};
  LagCurve c{
      [=](std::int64_t first, std::span<double> out) { cosine_sum(turns, weight, damping, first, out); },
      [=](std::span<const std::int64_t> lags, std::span<double> out) { cosine_deficit_at(turns, weight, damping, lags, out); }};
  c.settled = 3600;
  CHECK_FALSE(first_at_most(c, -0.5, 1, std::int64_t{1} << 53));
  CHECK(best_return(c, 200, std::int64_t{1} << 53)->lag == best_return(c, 200, 3601)->lag);
}

TEST_CASE("a stop is heard between blocks") {
  posenc::request_stop(SIGINT);
  CHECK_THROWS_AS(first_at_most(rotation({turn_of(1e-9)}), -2, 1, std::int64_t{1} << 50), posenc::Error);
  posenc::request_stop(0);
}
