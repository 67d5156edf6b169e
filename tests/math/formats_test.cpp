#include "math/formats.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using posenc::test::math_reference;

namespace {
double number(const nlohmann::json& j) {
  if (j.is_string()) return j.get<std::string>() == "inf" ? INFINITY : -INFINITY;
  return j.get<double>();
}
bool identical(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
}  // namespace

TEST_CASE("one rounding to nearest even, as in exact arithmetic") {
  for (const auto& c : math_reference("formats")) {
    const double x = c[0];
    INFO(x);
    CHECK(identical(round_f32(x), std::copysign(number(c[1]), x)));
    CHECK(identical(round_bf16(x), std::copysign(number(c[2]), x)));
    CHECK(identical(round_f16(x), std::copysign(number(c[3]), x)));
  }
}

TEST_CASE("rounding through float would differ where it is a tie there") {
  const double x = 1 + 0x1p-8 + 0x1p-40;  // above the tie of bf16, and rounded to the tie by float
  CHECK(round_bf16(x) == 1 + 0x1p-7);
  CHECK(round_bf16(round_f32(x)) == 1);
}

TEST_CASE("float agrees with the processor's conversion") {
  std::uint64_t bits = 1;
  for (int i = 0; i < 100000; ++i) {
    bits = bits * 6364136223846793005 + 1442695040888963407;
    const double x = std::bit_cast<double>(bits);
    if (std::isnan(x)) continue;
    if (!identical(round_f32(x), static_cast<double>(static_cast<float>(x)))) FAIL(x);
    const double near = std::ldexp(1 + static_cast<double>(bits >> 12) * 0x1p-52, static_cast<int>(bits % 300) - 160);
    if (!identical(round_f32(near), static_cast<double>(static_cast<float>(near)))) FAIL(near);
  }
}

TEST_CASE("infinities, zeros and NaN pass through") {
  for (const auto round : {round_f32, round_bf16, round_f16}) {
    CHECK(round(INFINITY) == INFINITY);
    CHECK(round(-INFINITY) == -INFINITY);
    CHECK(std::isnan(round(NAN)));
    CHECK((round(-0.0) == 0 && std::signbit(round(-0.0))));
    CHECK((round(-5e-324) == 0 && std::signbit(round(-5e-324))));
  }
}

TEST_CASE("every stored number is read exactly and rounds to itself") {
  for (int i = 0; i < 0x10000; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const double b = from_bf16(bits), h = from_f16(bits);
    if (!std::isnan(b) && !identical(round_bf16(b), b)) FAIL(i);
    if (!std::isnan(h) && !identical(round_f16(h), h)) FAIL(i);
    CHECK(std::isnan(b) == ((i & 0x7fff) > 0x7f80));
    CHECK(std::isnan(h) == ((i & 0x7fff) > 0x7c00));
    // Numbers of one sign are ordered as their bits are.
    if ((i & 0x7fff) > 0 && (i & 0x7fff) <= 0x7c00) CHECK(std::abs(h) > std::abs(from_f16(static_cast<std::uint16_t>(i - 1))));
    if ((i & 0x7fff) > 0 && (i & 0x7fff) <= 0x7f80) CHECK(std::abs(b) > std::abs(from_bf16(static_cast<std::uint16_t>(i - 1))));
  }
  CHECK(from_f16(0x3c00) == 1);
  CHECK(from_f16(0x0001) == 0x1p-24);
  CHECK(from_f16(0x0400) == 0x1p-14);
  CHECK(from_f16(0x7bff) == 65504);
  CHECK(from_f16(0xc000) == -2);
  CHECK(from_f16(0x7c00) == INFINITY);
  CHECK(from_bf16(0x3f80) == 1);
  CHECK(from_bf16(0x0001) == 0x1p-133);
  CHECK(from_bf16(0xff80) == -INFINITY);
}
