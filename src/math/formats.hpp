#pragma once
// math: rounding to the storage formats, to nearest even, with their infinities and subnormals.
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace posenc::math {

/// A binary format of `digits` significant bits whose finite values reach max and whose normal ones begin at 2^min_exponent.
struct BinaryFormat {
  int digits, min_exponent;
  double max;
};
inline constexpr BinaryFormat f32_format{24, -126, 0x1.fffffep127};
inline constexpr BinaryFormat bf16_format{8, -126, 0x1.fep127};
inline constexpr BinaryFormat f16_format{11, -14, 65504};

/// x rounded once, from all its bits, to nearest even; beyond max + half a unit: infinity; NaN stays NaN; the sign of zero stays.
/// Assumes the default rounding mode.
inline double round_to(const BinaryFormat& f, double x) {
  constexpr std::uint64_t exponent_bits = 0x7ff0'0000'0000'0000;
  const double least = std::bit_cast<double>(static_cast<std::uint64_t>(f.min_exponent + 1023) << 52);
  const double magnitude = std::fabs(x);
  if (!(magnitude < 2 * f.max)) return std::isnan(x) ? x : std::copysign(std::numeric_limits<double>::infinity(), x);
  // Adding 1.5 * 2^52 units leaves no bit below one unit: the sum is the rounding.
  const double binade =
      std::bit_cast<double>(std::bit_cast<std::uint64_t>(magnitude < least ? least : magnitude) & exponent_bits);
  const double unit = binade * std::bit_cast<double>(static_cast<std::uint64_t>(1024 - f.digits) << 52);
  const double shift = 0x1.8p52 * unit;
  const double rounded = (magnitude + shift) - shift;
  return std::copysign(rounded > f.max ? std::numeric_limits<double>::infinity() : rounded, x);
}

inline double round_f32(double x) { return round_to(f32_format, x); }
inline double round_bf16(double x) { return round_to(bf16_format, x); }
inline double round_f16(double x) { return round_to(f16_format, x); }

/// Exact value of a stored number; every NaN gives NaN.
double from_f16(std::uint16_t bits);
double from_bf16(std::uint16_t bits);

}  // namespace posenc::math
