#include "math/turn.hpp"

#include "math/real.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <cmath>

using namespace posenc::math;
using posenc::test::math_reference;

namespace {
constexpr Turn half{std::uint64_t{1} << 63, 0};
constexpr Turn least{0, 1};
std::uint64_t word(const nlohmann::json& text) { return std::stoull(text.get<std::string>()); }
}  // namespace

TEST_CASE("turns wrap: sums, negatives and multiples are modulo one turn") {
  CHECK(half + half == Turn{});
  CHECK(-least == Turn{~std::uint64_t{0}, ~std::uint64_t{0}});
  CHECK(-least + least == Turn{});
  CHECK(Turn{0, ~std::uint64_t{0}} + least == Turn{1, 0});
  CHECK(Turn{} - least == -least);
  CHECK(3 * half == half);
  const Turn third{0x5555555555555555, 0x5555555555555555};
  CHECK(3 * third == -least);  // 3 floor(2^128 / 3) = 2^128 - 1
  CHECK(0x1'0000'0001 * third == (std::uint64_t{1} << 32) * third + third);
}

TEST_CASE("a negative lag turns backwards") {
  const Turn f{0x123456789abcdef0, 0xfedcba9876543211};
  for (const std::int64_t m :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{4097}, std::int64_t{1} << 53, std::int64_t{1} << 62}) {
    CHECK(times(-m, f) + times(m, f) == Turn{});
    CHECK(times(-m, f) + times(m + 5, f) == 5 * f);
  }
  CHECK(times(std::numeric_limits<std::int64_t>::min(), f) + (std::uint64_t{1} << 63) * f == Turn{});
}

TEST_CASE("the signed fraction keeps its digits") {
  CHECK(signed_turns(Turn{}) == 0);
  CHECK(std::abs(signed_turns(half)) == 0.5);
  CHECK(signed_turns(Turn{std::uint64_t{1} << 62, 0}) == 0.25);
  CHECK(signed_turns(-Turn{std::uint64_t{1} << 62, 0}) == -0.25);
  CHECK(signed_turns(least) == 0x1p-128);
  CHECK(fine_signed_turns(-least) == -0x1p-128);
  for (int k = 2; k < 128; ++k) {
    // 2^-k (1 + 2^-60) of a turn and its negative.
    const Turn t =
        k <= 64 ? Turn{std::uint64_t{1} << (64 - k), k + 60 <= 128 ? (k + 60 > 64 ? std::uint64_t{1} << (128 - k - 60) : 0) : 0}
                : Turn{0, std::uint64_t{1} << (128 - k)};
    CHECK(std::abs(fine_signed_turns(t) / std::ldexp(1, -k) - 1) <= 0x1p-52);
    CHECK(fine_signed_turns(-t) == -fine_signed_turns(t));
    if (k <= 75) CHECK(std::abs(signed_turns(-t) / -std::ldexp(1, -k) - 1) <= 0x1p-52);
  }
}

TEST_CASE("a real becomes the nearest turn") {
  for (const auto& c : math_reference("turns")) {
    const Turn t = turn_from(Real(c["digits"].get<std::string>()));
    const Turn off = t - Turn{word(c["high"]), word(c["low"])};
    // Real carries 113 bits: 2^-113 of a value below 4.
    CHECK(std::abs(fine_signed_turns(off)) <= 0x1p-110);
  }
  CHECK(turn_from(Real(1)) == Turn{});
  CHECK(turn_from(Real(-0.25)) == Turn{std::uint64_t{3} << 62, 0});
  CHECK(turn_from(1 - ldexp(Real(1), -100)) == -Turn{0, std::uint64_t{1} << 28});
  CHECK(turn_from(ldexp(Real(1), -129)) == least);  // half a unit rounds up
  CHECK(turn_from(-ldexp(Real(1), -140)) == Turn{});
}
