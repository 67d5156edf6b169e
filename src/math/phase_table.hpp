#pragma once
// math: cosines and sines of exact phases, by rows (kernel A).
#include "math/turn.hpp"

#include <cstdint>
#include <span>

namespace posenc::math {

/// Largest error of one cosine or sine, absolute, at any position up to 2^53 and any frequency.
inline constexpr double phase_table_error = 4e-16;

/// Where the values of frequency j go within a row: cos at j * stride + cos_at, sin at j * stride + sin_at.
/// Interleaved (sin, cos): stride 2, sin_at 0, cos_at 1. Concatenated [sin | cos] of J frequencies: stride 1, sin_at 0,
/// cos_at J.
struct RowLayout {
  std::int64_t row = 0;  // elements from one row to the next
  std::int64_t stride = 1;
  std::int64_t cos_at = 0, sin_at = 0;
};

/// out[i * layout.row + ...] = cos and sin of (first + i) turns of each frequency, i = 0..count-1, times `amplitude`.
/// The bits of a row depend on its position alone, not on first, count, layout or threads. Parallel. An error is that of a cosine
/// times the amplitude.
void phase_table(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, const RowLayout& layout, double* out,
                 double amplitude = 1);
/// Two separate row-major arrays [count][frequency.size()].
void phase_table(std::span<const Turn> frequency, std::int64_t first, std::int64_t count, double* cosines, double* sines,
                 double amplitude = 1);

/// cos and sin of 2 pi times a signed fraction of a turn, each within phase_table_error.
void sincos_turns(std::span<const Turn> turns, double* cosines, double* sines);

}  // namespace posenc::math
