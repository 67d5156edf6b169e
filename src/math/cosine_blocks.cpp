#include "math/cosine_blocks.hpp"

#include "math/aligned.hpp"
#include "math/parallel.hpp"
#include "math/sincos.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t half = 256, block = 2 * half;   // offsets a side, integers a block
constexpr std::int64_t blocks_a_task = 24;             // centres that share one coarse table
constexpr int rows = 3;                                // centres a register tile
constexpr int columns = simd::lanes >= 8 ? 4 : 2;      // vectors of offsets a register tile
constexpr std::int64_t panel = columns * simd::lanes;  // offsets a register tile
static_assert(half % panel == 0 && blocks_a_task % rows == 0);

/// f / 2. An odd multiple of it wraps as the half-integer multiple of f does; the lost bit is 2^-129 of a turn.
Turn halved(Turn f) { return {f.hi >> 1, f.lo >> 1 | f.hi << 63}; }

struct Spectrum {
  std::vector<Turn> halves;
  std::span<const double> weight, log_damping;
  std::int64_t size, padded;
  Spectrum(std::span<const Turn> frequency, std::span<const double> w, std::span<const double> z)
      : halves(frequency.size()), weight(w), log_damping(z), size(std::ssize(frequency)), padded(sincos_room(size)) {
    std::transform(frequency.begin(), frequency.end(), halves.begin(), halved);
  }

  /// cos and sin of twice_x / 2 times each frequency, to [padded].
  void turned(std::int64_t twice_x, double* cosines, double* sines) const { sincos_of_multiple(halves, twice_x, cosines, sines); }
  /// e^{x log_damping[j]}; 1 without damping.
  double damping(std::int64_t j, double x) const {
    return log_damping.empty() ? 1 : std::exp(log_damping[static_cast<std::size_t>(j)] * x);
  }
};

/// cos and sin at the offsets, [panels][frequency][panel]; with damping times e^{+b z}, and a second table times e^{-b z}.
struct Offsets {
  Aligned cosines, sines;
  Offsets(const Spectrum& s, double direction) : cosines(half * s.size), sines(half * s.size) {
    parallel_for(half / panel, [&](std::int64_t p) {
      Aligned c(s.padded), v(s.padded);
      for (std::int64_t k = 0; k < panel; ++k) {
        const std::int64_t twice_b = 2 * (p * panel + k) + 1;
        s.turned(twice_b, c.data(), v.data());
        for (std::int64_t j = 0; j < s.size; ++j) {
          const double damping = s.damping(j, direction * 0.5 * static_cast<double>(twice_b));
          *(cosines + (p * s.size + j) * panel + k) = damping * c.data()[j];
          *(sines + (p * s.size + j) * panel + k) = damping * v.data()[j];
        }
      }
    });
  }
};

/// weight cos and weight sin at the centres of the blocks of one task, [blocks_a_task][padded].
struct Centres {
  Aligned cosines, sines;
  /// The first centre times the steps e^{i r block t}, one complex product each.
  Centres(const Spectrum& s, const Aligned& step_cos, const Aligned& step_sin, std::int64_t first_block)
      : cosines(blocks_a_task * s.padded), sines(blocks_a_task * s.padded) {
    const std::int64_t twice_centre = first_block * 2 * block + block - 1;
    Aligned c(s.padded), v(s.padded);
    s.turned(twice_centre, c.data(), v.data());
    for (std::int64_t j = 0; j < s.size; ++j) {
      *(c + j) *= s.weight[static_cast<std::size_t>(j)];
      *(v + j) *= s.weight[static_cast<std::size_t>(j)];
    }
    for (std::int64_t r = 0; r < blocks_a_task; ++r)
      for (std::int64_t j = 0; j < s.padded; j += simd::lanes) {
        const simd::SinCos sum = angle_sum(c.data(), v.data(), step_cos + r * s.padded, step_sin + r * s.padded, j);
        simd::store(cosines + r * s.padded + j, sum.cos);
        simd::store(sines + r * s.padded + j, sum.sin);
      }
    if (s.log_damping.empty()) return;
    for (std::int64_t r = 0; r < blocks_a_task; ++r)
      for (std::int64_t j = 0; j < s.size; ++j) {
        const double damping = s.damping(j, 0.5 * static_cast<double>(twice_centre) + static_cast<double>(r * block));
        *(cosines + r * s.padded + j) *= damping;
        *(sines + r * s.padded + j) *= damping;
      }
  }
};

/// P and Q of `rows` centres at one panel of offsets; P - Q to the panel's place ahead of each centre, P + Q to that behind, in
/// the blocks that begin at to[0..rows-1].
struct Halves {
  bool ahead, behind;
};
void register_tile(const Spectrum& s, const double* centre_cos, const double* centre_sin, const Offsets& offsets, std::int64_t at,
                   Halves halves, double* const* to) {
  const double* offset_cos = offsets.cosines + at * s.size * panel;
  const double* offset_sin = offsets.sines + at * s.size * panel;
  Vec p[rows][columns] = {}, q[rows][columns] = {};
  for (std::int64_t j = 0; j < s.size; ++j, offset_cos += panel, offset_sin += panel) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const Vec c = simd::all(centre_cos[r * s.padded + j]), v = simd::all(centre_sin[r * s.padded + j]);
#pragma GCC unroll 8
      for (int k = 0; k < columns; ++k) {
        p[r][k] = simd::fma(c, simd::load(offset_cos + k * simd::lanes), p[r][k]);
        q[r][k] = simd::fma(v, simd::load(offset_sin + k * simd::lanes), q[r][k]);
      }
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < rows; ++r)
#pragma GCC unroll 8
    for (int k = 0; k < columns; ++k) {
      const std::int64_t b = at * panel + k * simd::lanes;
      if (halves.ahead) simd::store(to[r] + half + b, p[r][k] - q[r][k]);
      if (halves.behind) simd::store(to[r] + half - b - simd::lanes, simd::reverse(p[r][k] + q[r][k]));
    }
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) { return a / b - (a % b < 0); }

}  // namespace

void cosine_blocks(std::span<const Turn> frequency, std::span<const double> weight, std::span<const double> log_damping,
                   std::int64_t first, std::span<double> out) {
  if (out.empty()) return;
  const Spectrum s(frequency, weight, log_damping);
  const bool damped = !log_damping.empty();
  const Offsets ahead(s, 1);
  const Offsets behind(damped ? s : Spectrum({}, {}, {}), -1);
  Aligned step_cos(blocks_a_task * s.padded), step_sin(blocks_a_task * s.padded);
  for (std::int64_t r = 0; r < blocks_a_task; ++r) s.turned(2 * r * block, step_cos + r * s.padded, step_sin + r * s.padded);

  constexpr std::int64_t task_size = blocks_a_task * block;
  const std::int64_t last = first + static_cast<std::int64_t>(out.size()) - 1;
  const std::int64_t first_task = floor_div(first, task_size);
  parallel_for(floor_div(last, task_size) - first_task + 1, [&](std::int64_t t) {
    const std::int64_t begin = (first_task + t) * task_size;
    const Centres centres(s, step_cos, step_sin, begin / block);
    // Blocks that the range cuts go to a buffer first.
    std::array<double*, blocks_a_task> to;
    Aligned cut(begin >= first && begin + task_size - 1 <= last ? 0 : task_size);
    for (std::int64_t r = 0; r < blocks_a_task; ++r) {
      const std::int64_t low = begin + r * block;
      const bool whole = low >= first && low + block - 1 <= last;
      to[static_cast<std::size_t>(r)] = whole ? out.data() + (low - first) : cut + r * block;
    }
    for (std::int64_t p = 0; p < half / panel; ++p)
      for (std::int64_t r = 0; r < blocks_a_task; r += rows) {
        if (begin + (r + rows) * block <= first || begin + r * block > last) continue;
        const double* c = centres.cosines + r * s.padded;
        const double* v = centres.sines + r * s.padded;
        register_tile(s, c, v, ahead, p, {true, !damped}, to.data() + r);
        if (damped) register_tile(s, c, v, behind, p, {false, true}, to.data() + r);
      }
    for (std::int64_t r = 0; r < blocks_a_task; ++r) {
      const std::int64_t low = std::max(begin + r * block, first), high = std::min(begin + (r + 1) * block - 1, last);
      if (high >= low && high - low + 1 < block) std::copy_n(cut + (low - begin), high - low + 1, out.data() + (low - first));
    }
  });
}

}  // namespace posenc::math
