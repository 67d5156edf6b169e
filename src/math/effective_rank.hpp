#pragma once
// math: how many directions the rows of a table really use.
#include <cstdint>
#include <functional>

namespace posenc::math {

/// exp of the entropy of the normalised squared singular values of the rows with their mean removed (Roy and Vetterli 2007 take
/// the singular values themselves); NaN where all rows are equal. `block(first, count, out)` writes rows first .. first +
/// count - 1, [count][columns]; it is called twice for each row, in blocks of at most effective_rank_block rows. Relative error
/// 1e-12: the eigenvalues of the covariance have absolute errors of a few 1e-16 of their sum, and a share p weighs p ln p.
/// Parallel; same bits for any number of threads. Throws Error when a stop was asked for.
inline constexpr std::int64_t effective_rank_block = 512;
double effective_rank(std::int64_t rows, std::int64_t columns,
                      const std::function<void(std::int64_t first, std::int64_t count, double* out)>& block);

}  // namespace posenc::math
