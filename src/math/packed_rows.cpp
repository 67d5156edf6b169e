#include "math/packed_rows.hpp"

#include "math/parallel.hpp"

#include <algorithm>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t panel = PackedRows::panel, edge = PackedRows::edge;
constexpr int tile_rows = simd::lanes >= 4 ? simd::lanes : 3;  // with 3 vectors of columns: the accumulators that registers hold
constexpr std::int64_t run = 256;                              // columns whose panels stay in the caches
static_assert(panel % tile_rows == 0);

/// `tile_rows` rows of a panel of a by one panel of b over `count` columns; into or onto g.
void register_tile(const double* a, const double* b, std::int64_t count, bool onto, double* g) {
  Vec sum[tile_rows][3] = {};
  for (std::int64_t k = 0; k < count; ++k, a += panel, b += panel) {
    const Vec b0 = simd::load(b), b1 = simd::load(b + simd::lanes), b2 = simd::load(b + 2 * simd::lanes);
#pragma GCC unroll 8
    for (int r = 0; r < tile_rows; ++r) {
      const Vec x = simd::all(a[r]);
      sum[r][0] = simd::fma(x, b0, sum[r][0]);
      sum[r][1] = simd::fma(x, b1, sum[r][1]);
      sum[r][2] = simd::fma(x, b2, sum[r][2]);
    }
  }
#pragma GCC unroll 8
  for (int r = 0; r < tile_rows; ++r)
#pragma GCC unroll 3
    for (int v = 0; v < 3; ++v) {
      double* to = g + r * edge + v * simd::lanes;
      simd::store(to, onto ? simd::load(to) + sum[r][v] : sum[r][v]);
    }
}

}  // namespace

PackedRows::PackedRows(const double* table, std::int64_t rows, std::int64_t columns)
    : rows_(rows), columns_(columns), packed_(blocks() * edge * columns) {
  parallel_blocks(rows, panel, [&](std::int64_t first, std::int64_t count) {
    double* to = packed_ + first * columns;
    for (std::int64_t r = 0; r < count; ++r)
      for (std::int64_t k = 0; k < columns; ++k) to[k * panel + r] = table[(first + r) * columns + k];
  });
}

void product_of_blocks(const PackedRows& a, std::int64_t i, const PackedRows& b, std::int64_t j, double* g) {
  const std::int64_t columns = a.columns();
  if (columns == 0) std::fill_n(g, edge * edge, 0.0);
  for (std::int64_t first = 0; first < columns; first += run) {
    const std::int64_t count = std::min(run, columns - first);
    for (std::int64_t r = 0; r < edge; r += tile_rows) {
      const double* left = a.block(i) + r / panel * panel * columns + first * panel + r % panel;
      for (std::int64_t c = 0; c < edge; c += panel)
        register_tile(left, b.block(j) + c * columns + first * panel, count, first > 0, g + r * edge + c);
    }
  }
}

}  // namespace posenc::math
