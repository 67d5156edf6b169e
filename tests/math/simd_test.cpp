#include "math/simd.hpp"

#include "math/instruction_set.hpp"
#include "support/catch.hpp"

#include <array>
#include <cmath>

using namespace posenc::math;
using Lanes = std::array<double, simd::lanes>;

namespace {
simd::Vec counting(double first) {
  Lanes x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = first + static_cast<double>(i);
  return simd::load(x.data());
}
Lanes lanes_of(simd::Vec v) {
  Lanes x;
  simd::store(x.data(), v);
  return x;
}
}  // namespace

TEST_CASE("lanes are reversed, zipped and summed in order") {
  const simd::Vec a = counting(1), b = counting(101);
  const Lanes back = lanes_of(simd::reverse(a)), low = lanes_of(simd::zip_low(a, b)), high = lanes_of(simd::zip_high(a, b));
  const auto half = static_cast<std::size_t>(simd::lanes) / 2;
  for (std::size_t i = 0; i < back.size(); ++i) {
    CHECK(back[i] == static_cast<double>(simd::lanes) - static_cast<double>(i));
    CHECK(low[i] == (i % 2 ? 101 : 1) + static_cast<double>(i / 2));
    CHECK(high[i] == (i % 2 ? 101 : 1) + static_cast<double>(half + i / 2));
  }
  CHECK(simd::sum(a) == simd::lanes * (simd::lanes + 1) / 2);
  CHECK(lanes_of(simd::all(-0.0))[0] == 0);
  CHECK(simd::padded(simd::lanes + 1) == 2 * simd::lanes);
  CHECK(!instruction_set().empty());
}

TEST_CASE("the vector functions agree with the C library to their last digits") {
  for (double x = -0.25; x <= 0.25; x += 0.001) {
    const auto v = simd::sincospi(simd::all(x));
    CHECK(std::abs(v.sin[0] - std::sin(M_PI * x)) <= 2e-16);
    CHECK(std::abs(v.cos[0] - std::cos(M_PI * x)) <= 2e-16);
    CHECK(simd::sinpi(simd::all(2 * x))[0] == Approx(std::sin(2 * M_PI * x)).epsilon(4e-16).margin(1e-16));
    CHECK(simd::exp(simd::all(2000 * x))[0] == Approx(std::exp(2000 * x)).epsilon(4e-16));
    CHECK(simd::expm1(simd::all(x))[0] == Approx(std::expm1(x)).epsilon(4e-16));
    CHECK(simd::log(simd::all(x + 0.26))[0] == Approx(std::log(x + 0.26)).epsilon(4e-16));
  }
  CHECK(simd::exp(simd::all(-800))[0] == 0);
  CHECK(simd::exp(simd::all(0))[0] == 1);
  CHECK(simd::expm1(simd::all(0))[0] == 0);
  CHECK(simd::sqrt(simd::all(2))[0] == std::sqrt(2.0));
}
