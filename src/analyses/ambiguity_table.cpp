#include "analyses/ambiguity_table.hpp"

#include "core/sink.hpp"
#include "math/formats.hpp"
#include "math/nearest_row.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::analyses {
namespace {

using model::Index;
using model::Matrix;
using model::Pos;

/// sums[i] = |row 0|^2 + ... + |row i - 1|^2.
std::vector<double> norm_sums(const Matrix& table) {
  std::vector<double> sums{0};
  for (Index i = 0; i < table.rows(); ++i) {
    double norm = 0;
    for (Index j = 0; j < table.cols(); ++j) norm += table(i, j) * table(i, j);
    sums.push_back(sums.back() + norm);
  }
  return sums;
}

/// mean_m (|p_m|^2 + |p_{m+s}|^2) / 2
double mean_norm(const std::vector<double>& sums, Index s) {
  const auto rows = static_cast<Index>(sums.size()) - 1, pairs = rows - s;
  const auto at = [&](Index i) { return sums[static_cast<std::size_t>(i)]; };
  return (at(pairs) + (at(rows) - at(s))) / (2 * static_cast<double>(pairs));
}

double mean_half_squared_difference(const Matrix& table, Index s) {
  constexpr Index strands = 16;
  std::array<double, strands> sum{};
  for (Index m = 0; m + s < table.rows(); ++m) {
    const double *a = table.data() + m * table.cols(), *b = a + s * table.cols();
    Index j = 0;
    for (; j + strands <= table.cols(); j += strands)
      for (Index k = 0; k < strands; ++k) sum[static_cast<std::size_t>(k)] += (a[j + k] - b[j + k]) * (a[j + k] - b[j + k]);
    for (; j < table.cols(); ++j) sum[0] += (a[j] - b[j]) * (a[j] - b[j]);
  }
  double total = 0;
  for (const double x : sum) total += x;
  return total / (2 * static_cast<double>(table.rows() - s));
}

}  // namespace

std::vector<double> squared_distance_by_lag(const Matrix& table) {
  const Index rows = table.rows();
  const std::vector<double> norms = norm_sums(table);
  // Distances do not change when the mean row is taken off, but cancel less.
  Matrix centred = table;
  for (Index j = 0; j < table.cols(); ++j) {
    double mean = 0;
    for (Index i = 0; i < rows; ++i) mean += table(i, j);
    mean /= static_cast<double>(rows);
    for (Index i = 0; i < rows; ++i) centred(i, j) -= mean;
  }
  const std::vector<double> centred_norms = norm_sums(centred);
  std::vector<double> product(static_cast<std::size_t>(rows)), deviation(product.size()), out(product.size());
  math::products_by_lag(centred.data(), centred.data(), rows, table.cols(), rows, product, deviation);
  throw_if_stop_requested();
  math::parallel_for(rows - 1, [&](Index i) {
    const Index s = i + 1;
    const auto at = static_cast<std::size_t>(s);
    const double own = mean_norm(centred_norms, s);
    double half = own - product[at];
    if (half < 1e-3 * own) half = mean_half_squared_difference(centred, s);  // what cancellation leaves is taken from differences
    out[at] = half > 0 ? half / mean_norm(norms, s) : 0;
  });
  return out;
}

StorageError storage_error(Pos count, Index channels, const std::function<void(Pos first, Eigen::Ref<Matrix> block)>& rows) {
  constexpr Pos block_rows = 2048;
  using Sums = std::array<double, 4>;  // |row|^2 and the squared errors
  Sums total{};
  for (Pos first = 0; first < count; first += block_rows) {
    throw_if_stop_requested();
    Matrix block(std::min(block_rows, count - first), channels);
    rows(first, block);
    std::vector<Sums> sums(static_cast<std::size_t>(block.rows()));
    math::parallel_blocks(block.rows(), 64, [&](Pos begin, Pos size) {
      for (Pos i = begin; i < begin + size; ++i) {
        Sums& s = sums[static_cast<std::size_t>(i)];
        for (Index j = 0; j < channels; ++j) {
          const double x = block(i, j);
          const std::array<double, 4> part{x, math::round_f32(x) - x, math::round_f16(x) - x, math::round_bf16(x) - x};
          for (std::size_t k = 0; k < part.size(); ++k) s[k] += part[k] * part[k];
        }
      }
    });
    for (const Sums& s : sums)
      for (std::size_t k = 0; k < s.size(); ++k) total[k] += s[k];
  }
  const auto relative = [&](double error) { return error > 0 ? std::sqrt(error / (2 * total[0])) : 0; };
  return {relative(total[1]), relative(total[2]), relative(total[3])};
}

}  // namespace posenc::analyses
