#include "math/sincos.hpp"

#include <array>

namespace posenc::math {

void sincos_of(std::span<const Turn> turns, double* cosines, double* sines) {
  alignas(simd::align) std::array<double, sincos_chunk> half_turns{};
  std::array<std::uint8_t, sincos_chunk> quarter{};
  const auto count = turns.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t q = (turns[i].hi + (std::uint64_t{1} << 61)) >> 62;
    const auto rest = static_cast<std::int64_t>(turns[i].hi - (q << 62));
    half_turns[i] = static_cast<double>(rest) * 0x1p-63 + static_cast<double>(turns[i].lo) * 0x1p-127;
    quarter[i] = static_cast<std::uint8_t>(q & 3);
  }
  for (std::size_t i = 0; i < sincos_chunk; i += simd::lanes) {
    const simd::SinCos v = simd::sincospi(simd::load(half_turns.data() + i));
    simd::store(cosines + i, v.cos);
    simd::store(sines + i, v.sin);
  }
  for (std::size_t i = 0; i < count; ++i) {
    const double c = quarter[i] & 1 ? sines[i] : cosines[i];
    const double s = quarter[i] & 1 ? cosines[i] : sines[i];
    cosines[i] = quarter[i] == 1 || quarter[i] == 2 ? 0.0 - c : c;  // 0.0 - 0.0 is +0
    sines[i] = quarter[i] >= 2 ? 0.0 - s : s;
  }
}

}  // namespace posenc::math
