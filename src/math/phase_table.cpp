#include "math/phase_table.hpp"

#include "math/aligned.hpp"
#include "math/parallel.hpp"
#include "math/sincos.hpp"

#include <algorithm>
#include <array>

namespace posenc::math {
namespace {

// Position = fine_rows * a + b on the grid of absolute positions: e^{i m t} = e^{i a fine_rows t} e^{i b t}, one complex
// product an element. A tile of frequencies keeps its fine table in the second-level cache.
constexpr std::int64_t fine_rows = 128;
constexpr std::int64_t tile_width = 512;
constexpr std::int64_t coarse_a_task = 4;
// Doubles ahead of the stores whose cache lines are asked for: a store that finds its line does not wait for memory.
constexpr std::int64_t ahead = 1024;

/// Where the two values of a frequency go.
struct Target {
  double* cosines;
  double* sines;
  std::int64_t row, stride;
};

struct Tile {
  std::span<const Turn> frequency;
  std::int64_t padded;
  Aligned cosines, sines;  // [fine_rows][padded], of the rows that positions first .. first + count - 1 use
  Tile(std::span<const Turn> f, std::int64_t first, std::int64_t count)
      : frequency(f),
        padded(sincos_room(static_cast<std::int64_t>(f.size()))),
        cosines(fine_rows * padded),
        sines(fine_rows * padded) {
    parallel_blocks(std::min(count, fine_rows), 32, [&](std::int64_t begin, std::int64_t rows) {
      for (std::int64_t i = begin; i < begin + rows; ++i) {
        const std::int64_t b = (first + i) & (fine_rows - 1);
        sincos_of_multiple(f, b, cosines + b * padded, sines + b * padded);
      }
    });
  }
};

/// One row as complex products, a vector of frequencies at a time.
struct Product {
  const double *coarse_cos, *coarse_sin, *fine_cos, *fine_sin;
  simd::SinCos at(std::int64_t j) const { return angle_sum(coarse_cos, coarse_sin, fine_cos, fine_sin, j); }
};

/// Elements from j on, one by one: any stride, and the tails.
void scatter(const Product& p, std::int64_t j, std::int64_t width, std::int64_t stride, double* cosines, double* sines) {
  for (; j < width; j += simd::lanes) {
    const simd::SinCos v = p.at(j);
    for (std::int64_t k = 0; k < std::min<std::int64_t>(simd::lanes, width - j); ++k) {
      cosines[(j + k) * stride] = v.cos[k];
      sines[(j + k) * stride] = v.sin[k];
    }
  }
}
void put(double* to, simd::Vec v) {
  __builtin_prefetch(to + ahead, 1);
  simd::store(to, v);
}
/// One run after the other, each in order of address.
void contiguous(const Product& p, std::int64_t width, double* cosines, double* sines) {
  const std::int64_t whole = width / simd::lanes * simd::lanes;
  for (std::int64_t j = 0; j < whole; j += simd::lanes) put(sines + j, p.at(j).sin);
  for (std::int64_t j = 0; j < whole; j += simd::lanes) put(cosines + j, p.at(j).cos);
  scatter(p, whole, width, 1, cosines, sines);
}
/// Pairs of neighbours, the sine first or the cosine first.
template <bool sine_first>
void interleaved(const Product& p, std::int64_t width, double* pairs) {
  std::int64_t j = 0;
  for (; j + simd::lanes <= width; j += simd::lanes) {
    const simd::SinCos v = p.at(j);
    const simd::Vec a = sine_first ? v.sin : v.cos, b = sine_first ? v.cos : v.sin;
    put(pairs + 2 * j, simd::zip_low(a, b));
    put(pairs + 2 * j + simd::lanes, simd::zip_high(a, b));
  }
  scatter(p, j, width, 2, pairs + (sine_first ? 1 : 0), pairs + (sine_first ? 0 : 1));
}

void one_row(const Product& p, std::int64_t width, std::int64_t stride, double* cosines, double* sines) {
  if (stride == 1)
    contiguous(p, width, cosines, sines);
  else if (stride == 2 && cosines == sines + 1)
    interleaved<true>(p, width, sines);
  else if (stride == 2 && sines == cosines + 1)
    interleaved<false>(p, width, cosines);
  else
    scatter(p, 0, width, stride, cosines, sines);
}

void rows_of_tile(const Tile& tile, std::int64_t first, std::int64_t count, double amplitude, const Target& out) {
  alignas(simd::align) std::array<double, tile_width> coarse_cos, coarse_sin;
  const auto width = static_cast<std::int64_t>(tile.frequency.size());
  for (std::int64_t i = 0; i < count;) {
    const std::int64_t b = (first + i) & (fine_rows - 1);
    sincos_of_multiple(tile.frequency, first + i - b, coarse_cos.data(), coarse_sin.data());
    for (auto* part : {&coarse_cos, &coarse_sin})
      for (std::size_t j = 0; j < static_cast<std::size_t>(tile.padded); ++j) (*part)[j] *= amplitude;
    const std::int64_t end = std::min(count, i + fine_rows - b);
    for (std::int64_t row = b; i < end; ++i, ++row) {
      const Product p{coarse_cos.data(), coarse_sin.data(), tile.cosines + row * tile.padded, tile.sines + row * tile.padded};
      one_row(p, width, out.stride, out.cosines + i * out.row, out.sines + i * out.row);
    }
  }
}

void fill(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, double amplitude, const Target& out) {
  const auto width = static_cast<std::int64_t>(frequency.size());
  if (count <= 0 || width == 0) return;
  for (std::int64_t begin = 0; begin < width; begin += tile_width) {
    const std::int64_t part = std::min(tile_width, width - begin);
    const Tile tile(frequency.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(part)), first, count);
    parallel_blocks(count, fine_rows * coarse_a_task, [&](std::int64_t row, std::int64_t rows) {
      const std::int64_t at = row * out.row + begin * out.stride;
      rows_of_tile(tile, first + row, rows, amplitude, {out.cosines + at, out.sines + at, out.row, out.stride});
    });
  }
}

}  // namespace

void phase_table(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, const RowLayout& layout, double* out,
                 double amplitude) {
  fill(frequency, first, count, amplitude, {out + layout.cos_at, out + layout.sin_at, layout.row, layout.stride});
}

void phase_table(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, double* cosines, double* sines,
                 double amplitude) {
  fill(frequency, first, count, amplitude, {cosines, sines, static_cast<std::int64_t>(frequency.size()), 1});
}

void sincos_turns(std::span<const Turn> turns, double* cosines, double* sines) {
  parallel_blocks(static_cast<std::int64_t>(turns.size()), 64 * sincos_chunk, [&](std::int64_t begin, std::int64_t count) {
    alignas(simd::align) std::array<double, sincos_chunk> c, s;
    for (std::int64_t i = begin; i < begin + count; i += sincos_chunk) {
      const std::int64_t n = std::min<std::int64_t>(sincos_chunk, begin + count - i);
      sincos_of(turns.subspan(static_cast<std::size_t>(i), static_cast<std::size_t>(n)), c.data(), s.data());
      std::copy_n(c.data(), n, cosines + i);
      std::copy_n(s.data(), n, sines + i);
    }
  });
}

}  // namespace posenc::math
