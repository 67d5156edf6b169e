#include "math/sinusoid_power.hpp"

#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace posenc::math {
namespace {

/// k / length of a turn, rounded down, 0 <= k < length.
Turn share(std::int64_t k, std::int64_t length) {
  __extension__ using U = unsigned __int128;
  const U high = static_cast<U>(k) << 64, n = static_cast<U>(length);
  return {static_cast<std::uint64_t>(high / n), static_cast<std::uint64_t>(((high % n) << 64) / n)};
}

double sine_squared(double x) {
  simd::Vec v = simd::all(x);
  double s[simd::lanes];
  simd::store(s, simd::sinpi(v));
  return s[0] * s[0];
}

}  // namespace

void sinusoid_power(std::span<const Turn> frequency, std::int64_t length, std::int64_t first, std::span<double> out) {
  const double n = static_cast<double>(length);
  std::vector<double> top;
  for (const Turn f : frequency) top.push_back(sine_squared(fine_signed_turns(times(length, f))));
  const double scale = 1 / (4 * static_cast<double>(frequency.size()) * n);
  constexpr std::int64_t lanes = simd::lanes;
  parallel_blocks(static_cast<std::int64_t>(out.size()), 8 * lanes, [&](std::int64_t begin, std::int64_t count) {
    for (std::int64_t at = begin; at < begin + count; at += lanes) {
      std::array<Turn, simd::lanes> k;
      for (std::int64_t i = 0; i < lanes; ++i)
        k[static_cast<std::size_t>(i)] = share(std::min(first + at + i, length - 1), length);
      simd::Vec total{};
      for (std::size_t j = 0; j < frequency.size(); ++j)
        for (const int sign : {1, -1}) {
          alignas(simd::align) double x[lanes], peak[lanes];
          for (std::int64_t i = 0; i < lanes; ++i) {
            const Turn at_k = k[static_cast<std::size_t>(i)];
            x[i] = fine_signed_turns(sign > 0 ? frequency[j] - at_k : frequency[j] + at_k);
            peak[i] = 0;
            // Nearer than the rounding of k / length: the top of the kernel, length^2.
            if (std::abs(x[i]) < 0x1p-120) x[i] = 0.5, peak[i] = n * n - top[j];
          }
          const simd::Vec s = simd::sinpi(simd::load(x));
          total += simd::all(top[j]) / (s * s) + simd::load(peak);
        }
      double lane[lanes];
      simd::store(lane, scale * total);
      for (std::int64_t i = 0; i < std::min(lanes, begin + count - at); ++i) out[static_cast<std::size_t>(at + i)] = lane[i];
    }
  });
}

}  // namespace posenc::math
