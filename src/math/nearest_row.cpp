#include "math/nearest_row.hpp"

#include "math/aligned.hpp"
#include "math/packed_rows.hpp"
#include "math/parallel.hpp"
#include "math/simd.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>
#include <numbers>
#include <vector>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t edge = PackedRows::edge;
constexpr std::int64_t tiles_a_task = 8;  // that share one buffer
constexpr double infinity = std::numeric_limits<double>::infinity();

/// |a - b|^2; the order of the sum depends on n only, and exchanging a and b changes no bit.
double squared_distance(const double* a, const double* b, std::int64_t n) {
  Vec even{}, odd{};
  std::int64_t k = 0;
  for (; k + 2 * simd::lanes <= n; k += 2 * simd::lanes) {
    const Vec x = simd::load(a + k) - simd::load(b + k), y = simd::load(a + k + simd::lanes) - simd::load(b + k + simd::lanes);
    even = simd::fma(x, x, even);
    odd = simd::fma(y, y, odd);
  }
  double sum = simd::sum(even + odd);
  for (; k < n; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

/// The rows that may still be the answer for one row: each within the tie of the least distance, and nearer than every one of a
/// lower index. The order in which they come does not matter.
class Candidates {
 public:
  /// A lower index at distance 0 is known: n cannot be the answer.
  bool settled_before(std::int64_t n) const {
    return std::any_of(list_.begin(), list_.end(), [&](const Candidate& c) { return c.index < n && c.distance == 0; });
  }
  void add(std::int64_t n, double distance, double tie) {
    const auto beaten_by = [](const Candidate& a, const Candidate& b) { return b.index <= a.index && b.distance <= a.distance; };
    const Candidate added{n, distance};
    if (std::any_of(list_.begin(), list_.end(), [&](const Candidate& c) { return beaten_by(added, c); })) return;
    least_ = std::min(least_, distance);
    std::erase_if(list_, [&](const Candidate& c) { return beaten_by(c, added) || c.distance > least_ + tie; });
    if (distance <= least_ + tie) list_.push_back(added);
  }
  /// Lowest index within the tie; {-1, NaN} if none was added.
  std::pair<std::int64_t, double> answer() const {
    const auto best =
        std::min_element(list_.begin(), list_.end(), [](const Candidate& a, const Candidate& b) { return a.index < b.index; });
    return best == list_.end() ? std::pair{std::int64_t{-1}, std::numeric_limits<double>::quiet_NaN()}
                               : std::pair{best->index, best->distance};
  }

 private:
  struct Candidate {
    std::int64_t index;
    double distance;
  };
  std::vector<Candidate> list_;
  double least_ = infinity;
};

/// d^2 = 2 (h_m - v), v = <a_m, a_n> - h_n, h half the squared norm: the nearest row has the greatest v. Products of blocks give
/// v up to a known error; rows within it of the greatest are compared by their differences, so the answer depends neither on how
/// the products were summed nor on the order of the blocks.
class Search {
 public:
  Search(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t guard)
      : table_(table),
        packed_(table, rows, columns),
        guard_(guard),
        half_norm_(static_cast<std::size_t>(rows)),
        best_(half_norm_.size(), -infinity),
        candidates_(half_norm_.size()),
        locks_(static_cast<std::size_t>(packed_.blocks())) {
    const std::vector<double> zero(static_cast<std::size_t>(columns));
    double sum = 0, greatest = 0;
    for (std::int64_t m = 0; m < rows; ++m) {
      const double square = squared_distance(table + m * columns, zero.data(), columns);
      half_norm_[static_cast<std::size_t>(m)] = square / 2;
      sum += square, greatest = std::max(greatest, square);
    }
    tie_ = nearest_row_tie * std::numbers::sqrt2 * std::sqrt(sum / static_cast<double>(rows));
    constexpr double unit = 0x1p-53;
    slack_ = 4 * static_cast<double>(columns + 8) * unit * greatest + tie_ * (2 * std::sqrt(greatest) + tie_);
  }

  void run() {
    const std::int64_t n = packed_.blocks(), chunks = (n + tiles_a_task - 1) / tiles_a_task;
    parallel_for(n * chunks, [&](std::int64_t task) {
      const std::int64_t i = task / chunks, first = std::max(i, task % chunks * tiles_a_task);
      const std::int64_t last = std::min(n, (task % chunks + 1) * tiles_a_task);
      if (first >= last) return;
      Aligned g(edge * edge);
      for (std::int64_t j = first; j < last; ++j) tile(i, j, g.data());
    });
  }
  std::pair<std::int64_t, double> answer(std::int64_t m) const { return candidates_[static_cast<std::size_t>(m)].answer(); }

 private:
  void tile(std::int64_t i, std::int64_t j, double* g) {
    const std::int64_t m0 = i * edge, n0 = j * edge;
    const std::int64_t m_count = packed_.count(i), n_count = packed_.count(j);
    if (n0 + n_count - 1 - m0 < guard_) return;
    product_of_blocks(packed_, i, packed_, j, g);
    for (std::int64_t r = 0; r < m_count; ++r) {  // |m - n| < guard
      const std::int64_t low = std::max<std::int64_t>(0, m0 + r - guard_ + 1 - n0),
                         high = std::min(n_count, m0 + r + guard_ - n0);
      for (std::int64_t c = low; c < high; ++c) g[r * edge + c] = -infinity;
    }
    std::vector<double> row_best(static_cast<std::size_t>(m_count)), column_best(static_cast<std::size_t>(n_count), -infinity);
    for (std::int64_t r = 0; r < m_count; ++r)
      row_best[static_cast<std::size_t>(r)] =
          sweep(g + r * edge, half_norm_.data() + n0, half_norm_[static_cast<std::size_t>(m0 + r)], n_count, column_best.data());
    {
      const std::lock_guard hold(locks_[static_cast<std::size_t>(i)]);
      for (std::int64_t r = 0; r < m_count; ++r)
        consider(m0 + r, row_best[static_cast<std::size_t>(r)], n0, n_count, [&](std::int64_t c) { return g[r * edge + c]; });
    }
    if (i == j) return;  // the block on the diagonal holds both (m, n) and (n, m) as rows
    const std::lock_guard hold(locks_[static_cast<std::size_t>(j)]);
    for (std::int64_t c = 0; c < n_count; ++c)
      consider(n0 + c, column_best[static_cast<std::size_t>(c)], m0, m_count, [&](std::int64_t r) { return g[r * edge + c]; });
  }

  /// Greatest g - h_n of one row of a block; column_best becomes the greater of itself and g - h_m.
  static double sweep(const double* g, const double* h, double h_m, std::int64_t count, double* column_best) {
    const auto greater = [](Vec a, Vec b) { return a > b ? a : b; };
    Vec best = simd::all(-infinity);
    std::int64_t c = 0;
    for (; c + simd::lanes <= count; c += simd::lanes) {
      const Vec v = simd::load(g + c);
      best = greater(v - simd::load(h + c), best);
      simd::store(column_best + c, greater(v - h_m, simd::load(column_best + c)));
    }
    double greatest = -infinity;
    for (int k = 0; k < simd::lanes; ++k) greatest = std::max<double>(greatest, best[k]);
    for (; c < count; ++c) {
      greatest = std::max(greatest, g[c] - h[c]);
      column_best[c] = std::max(column_best[c], g[c] - h_m);
    }
    return greatest;
  }

  /// Row m against rows n0 .. n0 + count - 1, whose products are product(0 ..) and of whose v the greatest is `greatest`.
  template <class Product>
  void consider(std::int64_t m, double greatest, std::int64_t n0, std::int64_t count, Product product) {
    double& best = best_[static_cast<std::size_t>(m)];
    if (greatest == -infinity || greatest < best - slack_) return;
    best = std::max(best, greatest);
    for (std::int64_t k = 0; k < count; ++k) {
      const std::int64_t n = n0 + k;
      if (!(product(k) - half_norm_[static_cast<std::size_t>(n)] >= best - slack_)) continue;
      Candidates& candidates = candidates_[static_cast<std::size_t>(m)];
      if (candidates.settled_before(n)) continue;
      const double square = squared_distance(table_ + m * packed_.columns(), table_ + n * packed_.columns(), packed_.columns());
      candidates.add(n, std::sqrt(square), tie_);
    }
  }

  const double* table_;
  PackedRows packed_;
  std::int64_t guard_;
  std::vector<double> half_norm_, best_;
  std::vector<Candidates> candidates_;
  std::vector<std::mutex> locks_;
  double tie_ = 0, slack_ = 0;
};

}  // namespace

void nearest_rows(const double* table, std::int64_t rows, std::int64_t columns, std::int64_t guard, std::span<std::int64_t> index,
                  std::span<double> distance) {
  if (rows == 0) return;
  Search search(table, rows, columns, guard);
  search.run();
  for (std::int64_t m = 0; m < rows; ++m)
    std::tie(index[static_cast<std::size_t>(m)], distance[static_cast<std::size_t>(m)]) = search.answer(m);
}

}  // namespace posenc::math
