#include "math/sincos.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace posenc::math {

using simd::Bits;
using simd::Vec;
using simd::Whole;

void sincos_of_multiple(std::span<const Turn> frequency, std::int64_t multiplier, double* cosines, double* sines) {
  std::array<Turn, sincos_chunk> turns;
  for (std::size_t j = 0; j < frequency.size(); j += sincos_chunk) {
    const std::size_t count = std::min<std::size_t>(sincos_chunk, frequency.size() - j);
    for (std::size_t k = 0; k < count; ++k) turns[k] = times(multiplier, frequency[j + k]);
    sincos_of({turns.data(), count}, cosines + j, sines + j);
  }
}

void sincos_of(std::span<const Turn> turns, double* cosines, double* sines) {
  alignas(simd::align) std::array<std::uint64_t, sincos_chunk> high{}, low{};
  for (std::size_t i = 0; i < turns.size(); ++i) high[i] = turns[i].hi, low[i] = turns[i].lo;
  for (std::size_t i = 0; i < sincos_chunk; i += simd::lanes) {
    Bits hi, lo;
    std::memcpy(&hi, high.data() + i, sizeof hi);
    std::memcpy(&lo, low.data() + i, sizeof lo);
    const Bits quarter = (hi + (std::uint64_t{1} << 61)) >> 62;
    const Vec rest = __builtin_convertvector((Whole)(hi - (quarter << 62)), Vec) * 0x1p-63 +
                     __builtin_convertvector((Whole)(lo >> 1), Vec) * 0x1p-126;
    const simd::SinCos v = simd::sincospi(rest);
    const Bits c = (Bits)v.cos, s = (Bits)v.sin;
    const Bits exchanged = (c ^ s) & (std::uint64_t{0} - (quarter & 1));
    // Adding 0 makes a zero positive.
    simd::store(cosines + i, (Vec)(c ^ exchanged ^ ((quarter + 1) & 2) << 62) + Vec{});
    simd::store(sines + i, (Vec)(s ^ exchanged ^ (quarter & 2) << 62) + Vec{});
  }
}

}  // namespace posenc::math
