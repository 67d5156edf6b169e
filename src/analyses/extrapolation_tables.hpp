#pragma once
// analyses: how well the ways of extending a table reproduce rows that it has but that were held out.
#include "model/encoding.hpp"

#include <array>
#include <string_view>

namespace posenc::analyses {

using model::Index;
using model::Pos;

/// error: rows beyond the last are refused. clamp: the last row. modulo: row n mod L. linear, cubic, cubic-torch: the table
/// stretched over the new length, ends aligned, between two rows or by cubic convolution with a = -1/2 or -3/4 (Keys 1981;
/// torch's bicubic). trigonometric: ridge fit of sines and cosines of base 10000.
enum class TablePolicy : int { error, clamp, modulo, linear, cubic, cubic_torch, trigonometric };
inline constexpr std::array<std::string_view, 7> table_policies{"error", "clamp",       "modulo",       "linear",
                                                                "cubic", "cubic-torch", "trigonometric"};

/// Rows first .. first + count - 1 into out [count][channels].
struct TableReader {
  Pos rows = 0;
  Index channels = 0;
  std::function<void(Pos first, Index count, double* out)> read;
};

/// |T' - T|_F / |T|_F over held-out rows where the policy has its neighbours (linear: one kept row on either side, cubic: two);
/// NaN where the policy has nothing to say or no row is left.
/// Held out: the odd rows; `error`, `clamp` and `modulo` say nothing about them.
double reconstruction_error(const TableReader& table, TablePolicy policy, double noise_variance);
/// The same for rows that are independent and of equal variance, in expectation of the squares: sqrt(1 + sum of squared weights).
/// NaN where the policy is no weighted mean of kept rows.
double reconstruction_error_white(Pos rows, TablePolicy policy);
/// Held out: the last ceil(L / 10) rows, predicted by the policy that extends the rest to L.
double reconstruction_error_tail(const TableReader& table, TablePolicy policy, double noise_variance);

}  // namespace posenc::analyses
