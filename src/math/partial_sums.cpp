#include "math/partial_sums.hpp"

#include "math/aligned.hpp"
#include "math/parallel.hpp"
#include "math/sincos.hpp"

#include <algorithm>
#include <array>

namespace posenc::math {
namespace {

using simd::Vec;

// s = (first of its task) + a * block + b: e^{i s t} is a product of three. Integers lie across the lanes, so that one step of
// the sum over frequencies does its square roots side by side.
constexpr std::int64_t block = 64;
constexpr std::int64_t blocks_a_task = 16;
constexpr std::int64_t task_size = blocks_a_task * block;
constexpr int vectors = simd::lanes >= 8 ? 4 : 2;
constexpr std::int64_t step = vectors * simd::lanes;
static_assert(block % step == 0 && block == sincos_chunk);

/// e^{i b t} for b = 0..block-1, [frequency][block].
struct Fine {
  Aligned cosines, sines;
  explicit Fine(std::span<const Turn> frequency)
      : cosines(static_cast<std::int64_t>(frequency.size()) * block), sines(static_cast<std::int64_t>(frequency.size()) * block) {
    parallel_for(static_cast<std::int64_t>(frequency.size()), [&](std::int64_t j) {
      std::array<Turn, block> turns;
      for (std::size_t b = 0; b < block; ++b) turns[b] = b * frequency[static_cast<std::size_t>(j)];
      sincos_of(turns, cosines + j * block, sines + j * block);
    });
  }
};

/// The mean at `step` integers from b on, of the block whose first integer turns by the coarse angles.
void means(const double* coarse_cos, const double* coarse_sin, const Fine& fine, std::int64_t size, std::int64_t b, double* out) {
  Vec x[vectors] = {}, y[vectors] = {}, total[vectors] = {};
  for (std::int64_t j = 0; j < size; ++j) {
    const Vec ca = simd::all(coarse_cos[j]), sa = simd::all(coarse_sin[j]);
#pragma GCC unroll 8
    for (int k = 0; k < vectors; ++k) {
      const std::int64_t at = j * block + b + k * simd::lanes;
      const Vec cb = simd::load(fine.cosines + at), sb = simd::load(fine.sines + at);
      x[k] += simd::fma(-sa, sb, ca * cb);
      y[k] += simd::fma(ca, sb, sa * cb);
      total[k] += simd::sqrt(simd::fma(y[k], y[k], x[k] * x[k]));
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < vectors; ++k) simd::store(out + k * simd::lanes, total[k] / static_cast<double>(size));
}

}  // namespace

void mean_abs_partial_sum(std::span<const Turn> frequency, std::int64_t first, std::span<double> out) {
  if (out.empty()) return;
  const auto size = static_cast<std::int64_t>(frequency.size()), room = sincos_room(size);
  const Fine fine(frequency);
  Aligned step_cos(blocks_a_task * room), step_sin(blocks_a_task * room);
  for (std::int64_t a = 0; a < blocks_a_task; ++a)
    sincos_of_multiple(frequency, a * block, step_cos + a * room, step_sin + a * room);

  const std::int64_t last = first + static_cast<std::int64_t>(out.size()) - 1;
  const std::int64_t first_task = first >> 10;
  static_assert(task_size == 1 << 10);
  parallel_for((last >> 10) - first_task + 1, [&](std::int64_t t) {
    const std::int64_t begin = (first_task + t) * task_size;
    Aligned start_cos(room), start_sin(room), coarse_cos(room), coarse_sin(room);
    sincos_of_multiple(frequency, begin, start_cos.data(), start_sin.data());
    alignas(simd::align) std::array<double, block> values;
    for (std::int64_t a = 0; a < blocks_a_task; ++a) {
      const std::int64_t block_first = begin + a * block;
      const std::int64_t low = std::max(first, block_first), high = std::min(last, block_first + block - 1);
      if (low > high) continue;
      for (std::int64_t j = 0; j < room; j += simd::lanes) {
        const simd::SinCos v = angle_sum(start_cos.data(), start_sin.data(), step_cos + a * room, step_sin + a * room, j);
        simd::store(coarse_cos + j, v.cos);
        simd::store(coarse_sin + j, v.sin);
      }
      for (std::int64_t b = 0; b < block; b += step)
        means(coarse_cos.data(), coarse_sin.data(), fine, size, b, values.data() + b);
      std::copy_n(values.data() + (low - block_first), high - low + 1, out.data() + (low - first));
    }
  });
}

}  // namespace posenc::math
