#include "math/nearest_row.hpp"

#include "math/parallel.hpp"

#include <cmath>
#include <limits>
#include <vector>

namespace posenc::math {
namespace {
constexpr int strands = 16;
template <class Term>
double total(std::int64_t n, Term term) {
  double sum[strands] = {};
  std::int64_t j = 0;
  for (; j + strands <= n; j += strands)
    for (int k = 0; k < strands; ++k) sum[k] += term(j + k);
  for (int k = 0; j < n; ++j, ++k) sum[k] += term(j);
  double all = 0;
  for (const double s : sum) all += s;
  return all;
}
}  // namespace

void nearest_rows(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t guard, std::span<std::int64_t> index,
                  std::span<double> distance) {
  const double norm =
      std::sqrt(total(rows * columns, [&](std::int64_t i) { return table[i] * table[i]; }) / static_cast<double>(rows));
  const double tie = 1e-14 * std::sqrt(2.0) * norm;
  parallel_for(rows, [&](std::int64_t m) {
    std::vector<double> d(static_cast<std::size_t>(rows), std::numeric_limits<double>::infinity());
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t n = 0; n < rows; ++n)
      if (std::abs(m - n) >= guard) {
        const double* a = table + m * columns;
        const double* b = table + n * columns;
        d[static_cast<std::size_t>(n)] = std::sqrt(total(columns, [&](std::int64_t j) { return (a[j] - b[j]) * (a[j] - b[j]); }));
        least = std::min(least, d[static_cast<std::size_t>(n)]);
      }
    index[static_cast<std::size_t>(m)] = -1;
    distance[static_cast<std::size_t>(m)] = std::numeric_limits<double>::quiet_NaN();
    if (std::isinf(least)) return;
    for (std::int64_t n = 0; n < rows; ++n)
      if (d[static_cast<std::size_t>(n)] <= least + tie) {
        index[static_cast<std::size_t>(m)] = n;
        distance[static_cast<std::size_t>(m)] = d[static_cast<std::size_t>(n)];
        return;
      }
  });
}

void products_by_lag(const double* a, const double* b, std::int64_t rows, std::int64_t columns, std::int64_t lags,
                     std::span<double> mean, std::span<double> deviation) {
  parallel_for(lags, [&](std::int64_t s) {
    std::vector<double> g;
    for (std::int64_t m = 0; m + s < rows; ++m)
      g.push_back(total(columns, [&](std::int64_t j) { return a[m * columns + j] * b[(m + s) * columns + j]; }));
    const auto n = static_cast<std::int64_t>(g.size());
    const double centre = total(n, [&](std::int64_t i) { return g[static_cast<std::size_t>(i)]; }) / static_cast<double>(n);
    mean[static_cast<std::size_t>(s)] = centre;
    deviation[static_cast<std::size_t>(s)] = std::sqrt(total(n,
                                                             [&](std::int64_t i) {
                                                               const double x = g[static_cast<std::size_t>(i)] - centre;
                                                               return x * x;
                                                             }) /
                                                       static_cast<double>(n));
  });
}

}  // namespace posenc::math
