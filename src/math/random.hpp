#pragma once
// math: counter-based random numbers: draw i is a function of (seed, stream, i) alone.
#include <array>
#include <cstdint>
#include <span>

namespace posenc::math {

/// Philox4x32-10 (Salmon 2011): four 32-bit words from a 128-bit counter and a 64-bit key.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

/// A named sequence of draws. Streams of different names under one seed are independent.
struct Stream {
  std::uint64_t seed = 0, stream = 0;
  Stream(std::uint64_t seed, std::uint64_t stream) : seed(seed), stream(stream) {}
  /// stream number = first 64 bits of a fixed hash (FNV-1a) of the name.
  Stream(std::uint64_t seed, const char* name);
};

/// out[i] = draw number first + i, uniform in the open interval (0, 1), 53 bits.
void uniform(const Stream& stream, std::uint64_t first, std::span<double> out);
/// Standard normal by Box-Muller from two uniforms of the same counter.
void normal(const Stream& stream, std::uint64_t first, std::span<double> out);
/// Standard normal conditioned on |z| <= 2 (TensorFlow's truncated normal), by the inverse distribution function.
void truncated_normal(const Stream& stream, std::uint64_t first, std::span<double> out);

}  // namespace posenc::math
