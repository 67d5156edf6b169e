#pragma once
// math: products of the rows of tables, block by block. For source files of math.
#include "math/aligned.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <cstdint>

namespace posenc::math {

/// Rows of a row-major table [rows][columns] copied for the register kernel: panels of 3 vectors of rows, a column at a time,
/// zeros behind the last row.
class PackedRows {
 public:
  static constexpr std::int64_t panel = 3 * simd::lanes;
  static constexpr std::int64_t edge = 240;  // rows of a block, whole panels of every instruction set
  static_assert(edge % panel == 0);

  PackedRows(const double* table, std::int64_t rows, std::int64_t columns);
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }
  std::int64_t blocks() const { return (rows_ + edge - 1) / edge; }
  /// Rows of block i.
  std::int64_t count(std::int64_t i) const { return std::min(edge, rows_ - i * edge); }
  const double* block(std::int64_t i) const { return packed_ + i * edge * columns_; }

 private:
  std::int64_t rows_, columns_;
  Aligned packed_;
};

/// g[r * edge + c] = <row r of block i of a, row c of block j of b>: one fused multiply-add a column, in order, in runs of 256
/// columns; the bits depend on the two rows only. g has room for edge * edge, aligned to 64 bytes. The columns of a and b agree.
void product_of_blocks(const PackedRows& a, std::int64_t i, const PackedRows& b, std::int64_t j, double* g);

}  // namespace posenc::math
