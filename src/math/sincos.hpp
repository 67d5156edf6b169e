#pragma once
// math: cosines and sines of turns in vector registers, the one place where a phase becomes a double. For source files of math.
#include "math/simd.hpp"
#include "math/turn.hpp"

#include <span>

namespace posenc::math {

/// Number of turns that the functions below treat at a time.
inline constexpr int sincos_chunk = 64;

/// cos and sin of 2 pi times each of 1 to sincos_chunk turns, to cosines[0..] and sines[0..]; both arrays have room for
/// sincos_chunk, aligned to 64 bytes, and receive cos 0 and sin 0 behind the last. The angle is taken from the nearest quarter
/// turn: error of the angle 2^-57 turn, of a cosine or sine below 1.5e-16.
void sincos_of(std::span<const Turn> turns, double* cosines, double* sines);

}  // namespace posenc::math
