#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/term_forms.hpp"

#include <algorithm>
#include <limits>

namespace posenc::model {
namespace {

void rotate_at(const Encoding& e, const Rotary& r, Index head, Side side, const std::vector<Pos>& positions, Matrix& x) {
  each_run(positions, [&](Index first, Index count) {
    Matrix some = x.middleRows(first, count);
    rotate(e, r, head, side, positions[static_cast<std::size_t>(first)], some);
    x.middleRows(first, count) = some;
  });
}

/// relative_rotation of pairs, kept by m - n where that is all it depends on.
class Rotations {
 public:
  Rotations(const Encoding& e, const Rotary& r, Index head, const Tokens& c) : encoding_(e), rotary_(r), head_(head) {
    if (e.point || !r.mix_cosine.empty() || r.early_until > 0) return;
    Pos low = std::numeric_limits<Pos>::max(), high = std::numeric_limits<Pos>::min();
    each_pair(e, c, [&](Index, Index, Pos m, Pos n) { low = std::min(low, m - n), high = std::max(high, m - n); });
    if (high - low >= static_cast<Pos>(c.query.size() * c.key.size())) return;
    first_ = low, known_.resize(static_cast<std::size_t>(high - low + 1));
  }
  /// The factors x of each pair, then y.
  const double* at(Pos m, Pos n) {
    std::vector<double>& row = known_.empty() ? one_ : known_[static_cast<std::size_t>(m - n - first_)];
    if (known_.empty() || row.empty()) {
      row.resize(2 * rotary_.channel.size());
      relative_rotation(encoding_, rotary_, head_, m, n, row.data(), row.data() + rotary_.channel.size());
    }
    return row.data();
  }

 private:
  const Encoding& encoding_;
  const Rotary& rotary_;
  Index head_;
  Pos first_ = 0;
  std::vector<std::vector<double>> known_;
  std::vector<double> one_;
};

/// q.R(m, n)k pair by pair: where the position map makes the rotation depend on both positions, and for hyperbolic pairs, whose
/// own factors at far positions leave the range of doubles.
Matrix rotated_by_pair(const Encoding& e, const Rotary& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k) {
  Matrix out = q * k.transpose();
  Rotations rotations(e, r, head, c);
  const std::size_t pairs = r.channel.size();
  const double sign = r.hyperbolic ? 1 : -1;
  each_pair(e, c, [&](Index i, Index j, Pos m, Pos n) {
    if (r.hyperbolic && e.causal && c.key[static_cast<std::size_t>(j)] > c.query[static_cast<std::size_t>(i)]) return;
    const double *x = rotations.at(m, n), *y = x + pairs;
    double sum = q.row(i).dot(k.row(j));
    for (std::size_t p = 0; p < pairs; ++p) {
      const auto [a, b] = r.channel[p];
      sum += q(i, a) * (x[p] * k(j, a) + sign * y[p] * k(j, b)) + q(i, b) * (x[p] * k(j, b) + y[p] * k(j, a));
      sum -= q(i, a) * k(j, a) + q(i, b) * k(j, b);
    }
    out(i, j) = sum;
  });
  return out;
}

}  // namespace

Matrix rotation_term(const Encoding& e, const Rotary& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k) {
  const Matrix plain = q * k.transpose();
  if (e.pair_map || r.hyperbolic) return rotated_by_pair(e, r, head, c, q, k) - plain;
  Matrix a = q, b = k;
  rotate_at(e, r, head, Side::query, c.query, a);
  rotate_at(e, r, head, Side::key, c.key, b);
  return a * b.transpose() - plain;
}

}  // namespace posenc::model
