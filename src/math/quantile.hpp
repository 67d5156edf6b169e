#pragma once
// math: exact quantiles of samples.
#include <cstdint>
#include <span>

namespace posenc::math {

/// ceil(p count), at least 1: the rank, from 1, of the p-quantile of `count` samples, 0 < p <= 1. A product that is whole but for
/// rounding counts as whole.
std::int64_t quantile_rank(double p, std::int64_t count);

/// samples: [columns][count], none NaN. out[c * p.size() + i] = the sample of column c whose rank in increasing order is
/// quantile_rank(p[i], count): exact, no interpolation. Parallel over columns; count >= 1.
void quantiles(const double* samples, std::int64_t columns, std::int64_t count, std::span<const double> p, double* out);

}  // namespace posenc::math
