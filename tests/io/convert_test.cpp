#include "io/convert.hpp"

#include "support/catch.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

using namespace posenc;

namespace {

template <class Stored>
Stored one(double v, Type type) {
  std::array<std::byte, 8> out{};
  REQUIRE(io::convert({&v, 1}, type, out.data()) == 1);
  Stored s;
  std::memcpy(&s, out.data(), sizeof s);
  return s;
}
bool refused(double v, Type type) {
  std::array<std::byte, 8> out{};
  return io::convert({&v, 1}, type, out.data()) == 0;
}

}  // namespace

TEST_CASE("float32 is one rounding to nearest even") {
  CHECK(one<float>(1 + 0x1p-24, Type::f32) == 1.0F);                 // a tie, to even
  CHECK(one<float>(1 + 0x3p-24, Type::f32) == 1.0F + 0x1p-22F);      // a tie, to even
  CHECK(one<float>(1 + 0x1.000001p-24, Type::f32) == 1 + 0x1p-23F);  // above the tie
  CHECK(one<float>(0x1p-149, Type::f32) == 0x1p-149F);
  CHECK(std::isinf(one<float>(1e39, Type::f32)));
  CHECK(std::isnan(one<float>(std::nan(""), Type::f32)));
  CHECK(std::signbit(one<float>(-0.0, Type::f32)));
}

TEST_CASE("integers are exact or refused") {
  CHECK(one<std::int64_t>(-0x1p63, Type::i64) == std::numeric_limits<std::int64_t>::min());
  CHECK(one<std::int64_t>(0x1p53, Type::i64) == 9007199254740992);
  CHECK(one<std::int8_t>(-128, Type::i8) == -128);
  CHECK(one<std::int8_t>(127, Type::i8) == 127);
  for (const double v : {0x1p63, -0x1.0000000000001p63, 0.5, std::nan(""), HUGE_VAL, -HUGE_VAL}) CHECK(refused(v, Type::i64));
  for (const double v : {128.0, -129.0, 0.5}) CHECK(refused(v, Type::i8));
  const std::array<double, 3> list{1, 2.5, 3};
  std::array<std::byte, 24> out{};
  CHECK(io::convert(list, Type::i64, out.data()) == 1);
}
