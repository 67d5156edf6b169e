#include "math/rounded_phase.hpp"

#include "math/simd_rounding.hpp"
#include "math/two_product.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <numbers>
#include <random>

using namespace posenc;
using namespace posenc::math;
using posenc::test::geometric;

namespace {

constexpr const BinaryFormat* formats[] = {&f32_format, &bf16_format, &f16_format};

std::vector<double> thetas(double base, int dim) {
  std::vector<double> out;
  for (int i = 0; i < dim / 2; ++i) out.push_back(Real(pow(Real(base), Real(-2 * i) / dim)).convert_to<double>());
  return out;
}
RoundedPhases phases(double base, int dim, const Stages& stages) {
  return {geometric(base, dim), thetas(base, dim), std::vector<double>(static_cast<std::size_t>(dim / 2), 1.0), stages};
}
std::vector<Stages> every_stage() {
  std::vector<Stages> all{{}, {.recurrence = Stages::Recurrence::frequency}, {.recurrence = Stages::Recurrence::angle}};
  for (const BinaryFormat* f : formats) {
    all.push_back({.frequency = f});
    all.push_back({.position = f});
    all.push_back({.angle = f});
    all.push_back({f, f, f, f});
  }
  return all;
}
double worst(const RoundedPhases& p, std::int64_t m) {
  std::vector<double> errors(static_cast<std::size_t>(p.pairs()));
  p.errors(m, errors);
  return *std::max_element(errors.begin(), errors.end());
}

}  // namespace

TEST_CASE("rounding of vectors is that of numbers one by one") {
  std::mt19937_64 g(5);
  for (const BinaryFormat* f : formats)
    for (int i = 0; i < 20000; ++i) {
      // All bits at random, then numbers around the format's range with few bits, many of them ties.
      double x = std::bit_cast<double>(g());
      if (i % 2)
        x = std::ldexp(static_cast<double>(static_cast<std::int64_t>(g() % 8192) - 4096), static_cast<int>(g() % 40) - 30);
      if (i % 8 == 3) x = std::ldexp(x, f->min_exponent + 20);
      const double ours = round_to(*f, simd::all(x))[0];
      if (std::isnan(x))
        CHECK(std::isinf(ours));
      else
        CHECK(std::bit_cast<std::uint64_t>(ours) == std::bit_cast<std::uint64_t>(round_to(*f, x)));
    }
}

TEST_CASE("a sum of two doubles is rounded once, by way of its odd neighbour") {
  // 1 + 2^-24 is the tie of float32 between 1 and 1 + 2^-23; 2^-80 decides.
  const double tie = 1 + 0x1p-24;
  const auto rounded = [](double high, double low) { return round_to(f32_format, to_odd(simd::all(high), simd::all(low)))[0]; };
  CHECK(rounded(tie, 0) == 1);
  CHECK(rounded(tie, 0x1p-80) == 1 + 0x1p-23);
  CHECK(rounded(tie, -0x1p-80) == 1);
  CHECK(rounded(-tie, -0x1p-80) == -(1 + 0x1p-23));
  CHECK(rounded(1 + 3 * 0x1p-24, -0x1p-80) == 1 + 0x1p-23);
  CHECK(rounded(1 + 3 * 0x1p-24, 0) == 1 + 0x1p-22);
}

TEST_CASE("the error of a product is exact") {
  std::mt19937_64 g(6);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 1000; ++i) {
    const double a = u(g) * 0x1p30, b = u(g), product = a * b;
    const Real exact = Real(a) * Real(b) - Real(product);
    CHECK(product_error(simd::all(a), simd::all(b), simd::all(product))[0] == exact.convert_to<double>());
  }
}

TEST_CASE("errors of angles agree with 113-bit arithmetic") {
  std::mt19937_64 g(7);
  for (const BinaryFormat* f : {&f32_format, &bf16_format}) {
    const RoundedPhases by_frequency = phases(10000, 32, {.frequency = f}), by_position = phases(10000, 32, {.position = f});
    for (int i = 0; i < 200; ++i) {
      const auto m = static_cast<std::int64_t>(g() % (std::uint64_t{1} << (10 + i % 31)));
      std::vector<double> frequency(16), position(16);
      by_frequency.errors(m, frequency), by_position.errors(m, position);
      for (int j = 0; j < 16; ++j) {
        const Real t = pow(Real(10000), Real(-2 * j) / 32);
        const auto shorter = [](const Real& radians) {
          const Real turns = radians / two_pi();
          return Real(abs(turns - round(turns)) * two_pi()).convert_to<double>();
        };
        // t is 113 bits near no tie of the format: rounding its double is rounding it.
        const Real used(round_to(*f, t.convert_to<double>()));
        CHECK(std::abs(frequency[static_cast<std::size_t>(j)] - shorter(m * (used - t))) <= rounded_phase_error);
        CHECK(std::abs(position[static_cast<std::size_t>(j)] - shorter((round_to(*f, static_cast<double>(m)) - m) * t)) <=
              rounded_phase_error);
      }
    }
  }
}

TEST_CASE("the largest error and the first above a tolerance are those of a look at every position and pair") {
  for (const Stages& stages : every_stage()) {
    const RoundedPhases p = phases(500, 26, stages);
    for (const auto& [first, count] : {std::pair<std::int64_t, std::int64_t>{0, 2500}, {65000, 1100}, {(1 << 20) - 7, 1031}}) {
      double most = 0;
      std::optional<std::int64_t> above[2];
      const double tolerance[2] = {1e-4, 1};
      for (std::int64_t m = first; m < first + count; ++m) {
        const double e = worst(p, m);
        most = std::max(most, e);
        for (int k = 0; k < 2; ++k)
          if (!above[k] && e > tolerance[k]) above[k] = m;
      }
      CHECK(p.largest_error(first, count) == most);
      CHECK(p.largest_error(first, count, 4) == 4);
      for (int k = 0; k < 2; ++k) CHECK(p.first_above(first, count, tolerance[k]) == above[k]);
    }
  }
}

TEST_CASE("angles that no format holds count as pi and have no cosine") {
  const RoundedPhases p = phases(10000, 8, {.position = &f16_format});
  CHECK(worst(p, 65519) < 16 * 1.0 + 1e-12);
  CHECK(worst(p, 65520) == std::numbers::pi);
  std::vector<double> c(4), s(4);
  p.row(65520, c, s);
  for (const double x : c) CHECK(std::isnan(x));
}

TEST_CASE("rows are stored in the format, times the amplitude, and exact without stages") {
  const std::vector<Turn> turn = geometric(10000, 16);
  const std::vector<double> theta = thetas(10000, 16), amplitude(8, 1.25);
  const RoundedPhases exact(turn, theta, amplitude, {}), stored(turn, theta, amplitude, {.storage = &bf16_format});
  for (const std::int64_t m : {0L, 1L, 12345L, 1L << 39}) {
    std::vector<double> c(8), s(8), cb(8), sb(8);
    exact.row(m, c, s), stored.row(m, cb, sb);
    for (std::size_t j = 0; j < 8; ++j) {
      const Real angle = m * pow(Real(10000), Real(-2 * static_cast<int>(j)) / 16);
      CHECK(std::abs(c[j] - 1.25 * Real(cos(angle)).convert_to<double>()) <= 1.25 * rounded_phase_error);
      CHECK(std::abs(s[j] - 1.25 * Real(sin(angle)).convert_to<double>()) <= 1.25 * rounded_phase_error);
      CHECK(cb[j] == round_to(bf16_format, c[j]));
      CHECK(sb[j] == round_to(bf16_format, s[j]));
    }
  }
}

TEST_CASE("doubles: the angle is the rounded product of position and rounded frequency") {
  const Stages doubles{.frequency = &f64_format, .angle = &f64_format};
  const RoundedPhases p = phases(10000, 16, doubles);
  const std::vector<double> t = thetas(10000, 16);
  std::vector<double> cosines(8), sines(8);
  for (const std::int64_t m : {1, 77, 4096, 1000003, 123456789}) {
    p.row(m, cosines, sines);
    for (std::size_t j = 0; j < 8; ++j) {
      const Real angle(static_cast<double>(m) * t[j]);
      CHECK(std::abs(cosines[j] - Real(cos(angle)).convert_to<double>()) <= rounded_phase_error);
      CHECK(std::abs(sines[j] - Real(sin(angle)).convert_to<double>()) <= rounded_phase_error);
    }
  }
  // At 123456789 the product's rounding alone moves the cosine by more than that.
  const RoundedPhases exact = phases(10000, 16, {});
  std::vector<double> c(8), s(8);
  exact.row(123456789, c, s), p.row(123456789, cosines, sines);
  CHECK(std::abs(c[1] - cosines[1]) > 1e-11);
}
