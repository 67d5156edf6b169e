#pragma once
// math: cosines and sines of turns in vector registers, the one place where a phase becomes a double. For source files of math.
#include "math/simd.hpp"
#include "math/turn.hpp"

#include <span>

namespace posenc::math {

/// Arrays that the functions below fill have room for a multiple of it, aligned to 64 bytes.
inline constexpr int sincos_chunk = 64;
inline constexpr std::int64_t sincos_room(std::int64_t n) { return (n + sincos_chunk - 1) / sincos_chunk * sincos_chunk; }

/// cos and sin of 2 pi times each of 1 to sincos_chunk turns; cos 0 and sin 0 behind the last. The angle is taken from the
/// nearest quarter turn: error of the angle 2^-57 turn, of a cosine or sine below 1.2e-16.
void sincos_of(std::span<const Turn> turns, double* cosines, double* sines);

/// The same of `multiplier` times each of any number of frequencies.
void sincos_of_multiple(std::span<const Turn> frequency, std::int64_t multiplier, double* cosines, double* sines);

/// cos and sin of a + b, at j and the lanes behind it.
inline simd::SinCos angle_sum(const double* cos_a, const double* sin_a, const double* cos_b, const double* sin_b,
                              std::int64_t j) {
  const simd::Vec ca = simd::load(cos_a + j), sa = simd::load(sin_a + j), cb = simd::load(cos_b + j), sb = simd::load(sin_b + j);
  return {.sin = simd::fma(ca, sb, sa * cb), .cos = simd::fma(-sa, sb, ca * cb)};
}

}  // namespace posenc::math
