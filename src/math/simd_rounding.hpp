#pragma once
// math: rounding to the storage formats in vector registers. For source files of math.
#include "math/formats.hpp"
#include "math/simd.hpp"

namespace posenc::math {

/// round_to of each lane; NaN becomes infinite.
inline simd::Vec round_to(const BinaryFormat& f, simd::Vec x) {
  using simd::Bits;
  using simd::Vec;
  const Bits sign = (Bits)x & (Bits{} + (std::uint64_t{1} << 63));
  const Vec magnitude = (Vec)((Bits)x ^ sign);
  const Vec least = simd::all(std::bit_cast<double>(static_cast<std::uint64_t>(f.min_exponent + 1023) << 52));
  const Vec at_least = magnitude < least ? least : magnitude;
  const Vec binade = (Vec)((Bits)at_least & (Bits{} + 0x7ff0'0000'0000'0000));
  // Adding 1.5 * 2^52 units leaves no bit below one unit: the sum is the rounding.
  const Vec shift = binade * (0x1.8p52 * std::bit_cast<double>(static_cast<std::uint64_t>(1024 - f.digits) << 52));
  const Vec rounded = (magnitude + shift) - shift;
  const Vec bounded = rounded <= simd::all(f.max) ? rounded : simd::all(std::numeric_limits<double>::infinity());
  return (Vec)((Bits)bounded | sign);
}

/// high + low, |low| at most half a unit of high, as one double whose last bit is set where low is not 0: a second rounding, to a
/// format of at most 51 digits, is then that of the sum itself (Boldo 2008, rounding to odd).
inline simd::Vec to_odd(simd::Vec high, simd::Vec low) {
  using simd::Bits;
  const Bits even = ~(Bits)high & 1, inexact = (Bits)(low != 0.0) & 1, apart = ((Bits)high ^ (Bits)low) >> 63;
  // One unit away from zero where the signs agree, towards it where they differ.
  return (simd::Vec)((Bits)high + (even & inexact) * (1 - 2 * apart));
}

}  // namespace posenc::math
