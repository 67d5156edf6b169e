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
constexpr std::int64_t fine_rows = 64;
constexpr std::int64_t tile_width = 512;
constexpr std::int64_t coarse_a_task = 4;

/// Where the two values of a frequency go.
struct Target {
  double* cosines;
  double* sines;
  std::int64_t row, stride;
};

/// Cosine and sine of `multiplier` turns of up to sincos_chunk frequencies.
void turned(std::span<const Turn> frequency, std::int64_t multiplier, double* cosines, double* sines) {
  std::array<Turn, sincos_chunk> turns;
  for (std::size_t j = 0; j < frequency.size(); ++j) turns[j] = times(multiplier, frequency[j]);
  sincos_of({turns.data(), frequency.size()}, cosines, sines);
}
/// Of any number of frequencies; the arrays have room for a multiple of sincos_chunk.
void turned_row(std::span<const Turn> frequency, std::int64_t multiplier, double* cosines, double* sines) {
  for (std::size_t j = 0; j < frequency.size(); j += sincos_chunk)
    turned(frequency.subspan(j, std::min<std::size_t>(sincos_chunk, frequency.size() - j)), multiplier, cosines + j, sines + j);
}

struct Tile {
  std::span<const Turn> frequency;
  std::int64_t padded;
  Aligned cosines, sines;  // [fine_rows][padded]
  explicit Tile(std::span<const Turn> f)
      : frequency(f),
        padded((static_cast<std::int64_t>(f.size()) + sincos_chunk - 1) / sincos_chunk * sincos_chunk),
        cosines(fine_rows * padded),
        sines(fine_rows * padded) {
    for (std::int64_t b = 0; b < fine_rows; ++b) turned_row(f, b, cosines + b * padded, sines + b * padded);
  }
};

/// One row of a tile into packed arrays of `padded` elements.
void product(std::int64_t padded, const double* coarse_cos, const double* coarse_sin, const double* fine_cos,
             const double* fine_sin, double* cosines, double* sines) {
  for (std::int64_t j = 0; j < padded; j += simd::lanes) {
    const simd::Vec ca = simd::load(coarse_cos + j), sa = simd::load(coarse_sin + j);
    const simd::Vec cb = simd::load(fine_cos + j), sb = simd::load(fine_sin + j);
    simd::store(cosines + j, simd::fma(-sa, sb, ca * cb));
    simd::store(sines + j, simd::fma(ca, sb, sa * cb));
  }
}

void rows_of_tile(const Tile& tile, std::int64_t first, std::int64_t count, double amplitude, const Target& out) {
  alignas(simd::align) std::array<double, tile_width> coarse_cos, coarse_sin, cosines, sines;
  std::int64_t grid = -1;
  bool fresh = false;
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t a = (first + i) >> 6, b = (first + i) & (fine_rows - 1);
    if (!fresh || a != grid) {
      turned_row(tile.frequency, a * fine_rows, coarse_cos.data(), coarse_sin.data());
      for (std::int64_t j = 0; j < tile.padded; ++j) {
        coarse_cos[static_cast<std::size_t>(j)] *= amplitude;
        coarse_sin[static_cast<std::size_t>(j)] *= amplitude;
      }
      grid = a, fresh = true;
    }
    product(tile.padded, coarse_cos.data(), coarse_sin.data(), tile.cosines + b * tile.padded, tile.sines + b * tile.padded,
            cosines.data(), sines.data());
    for (std::size_t j = 0; j < tile.frequency.size(); ++j) {
      const std::int64_t at = i * out.row + static_cast<std::int64_t>(j) * out.stride;
      out.cosines[at] = cosines[j];
      out.sines[at] = sines[j];
    }
  }
}

void fill(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, double amplitude, const Target& out) {
  const auto width = static_cast<std::int64_t>(frequency.size());
  if (count <= 0 || width == 0) return;
  for (std::int64_t begin = 0; begin < width; begin += tile_width) {
    const Tile tile(
        frequency.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(std::min(tile_width, width - begin))));
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
