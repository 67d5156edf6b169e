#include "math/aligned.hpp"
#include "math/nearest_row.hpp"
#include "math/packed_rows.hpp"
#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t edge = PackedRows::edge;
constexpr std::int64_t tiles_a_task = 16;        // along one diagonal of blocks
constexpr std::int64_t span_of_tile = 2 * edge;  // diagonals of a block, and one to spare

/// Sums over the elements of the diagonals of a block, of x = g - pivot and of x^2: diagonal c - r at c - r + edge - 1.
struct Diagonals {
  Aligned sum{span_of_tile}, square{span_of_tile};

  void add_row(const double* g, const double* pivot, std::int64_t count, std::int64_t shift) {
    double *s = sum + shift, *q = square + shift;
    std::int64_t c = 0;
    for (; c + simd::lanes <= count; c += simd::lanes) {
      const Vec x = simd::load(g + c) - simd::load(pivot + c);
      simd::store(s + c, simd::load(s + c) + x);
      simd::store(q + c, simd::fma(x, x, simd::load(q + c)));
    }
    for (; c < count; ++c) {
      const double x = g[c] - pivot[c];
      s[c] += x;
      q[c] = std::fma(x, x, q[c]);
    }
  }
};

}  // namespace

void products_by_lag(const double* a, const double* b, std::int64_t rows, std::int64_t columns, std::int64_t lags,
                     std::span<double> mean, std::span<double> deviation) {
  if (lags <= 0) return;
  const PackedRows left(a, rows, columns), right(b, rows, columns);
  const std::int64_t known = std::min(lags, rows), blocks = left.blocks();

  // The product at the first m stands for the mean until it is known, so that equal products have deviation 0. Room for the
  // diagonals of a block before lag 0 and behind the last.
  Aligned pivots(edge + (blocks + 1) * edge);
  double* pivot = pivots + edge;
  parallel_blocks(known, edge, [&](std::int64_t first, std::int64_t count) {
    for (std::int64_t s = first; s < first + count; ++s) {
      double sum = 0;
      for (std::int64_t k = 0; k < columns; ++k) sum += a[k] * b[s * columns + k];
      pivot[s] = sum;
    }
  });

  const std::int64_t distances = (known + edge - 2) / edge + 1;  // of blocks that meet a lag asked for
  const std::int64_t chunks = (blocks + tiles_a_task - 1) / tiles_a_task;
  std::vector<Diagonals> parts(static_cast<std::size_t>(distances * chunks));
  parallel_for(distances * chunks, [&](std::int64_t task) {
    const std::int64_t apart = task / chunks, first = task % chunks * tiles_a_task;
    Diagonals& part = parts[static_cast<std::size_t>(task)];
    Aligned g(edge * edge);
    for (std::int64_t i = first; i < std::min(blocks - apart, first + tiles_a_task); ++i) {
      product_of_blocks(left, i, right, i + apart, g.data());
      for (std::int64_t r = 0; r < left.count(i); ++r)
        part.add_row(g + r * edge, pivot + apart * edge - r, right.count(i + apart), edge - 1 - r);
    }
  });

  for (std::int64_t s = 0; s < lags; ++s) {
    const auto at = static_cast<std::size_t>(s);
    if (s >= rows) {
      mean[at] = deviation[at] = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    double sum = 0, square = 0;
    for (const std::int64_t apart : {s / edge, s / edge + 1}) {
      const std::int64_t diagonal = s - apart * edge + edge - 1;
      if (apart >= distances || diagonal < 0) continue;
      for (std::int64_t k = 0; k < chunks; ++k) {
        sum += *(parts[static_cast<std::size_t>(apart * chunks + k)].sum + diagonal);
        square += *(parts[static_cast<std::size_t>(apart * chunks + k)].square + diagonal);
      }
    }
    const double n = static_cast<double>(rows - s), shift = sum / n;
    mean[at] = pivot[s] + shift;
    deviation[at] = std::sqrt(std::max(0.0, square / n - shift * shift));
  }
}

}  // namespace posenc::math
