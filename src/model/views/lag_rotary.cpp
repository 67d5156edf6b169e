#include "math/cosine_sum.hpp"
#include "math/parallel.hpp"
#include "math/phase_table.hpp"
#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::model {
namespace {

constexpr Pos block = 256;

/// The rows of a query, whose head may turn it further.
void turned_rows(const Encoding& e, const Rotary& r, Index head, Pos m, Matrix& cosine, Matrix& sine) {
  rotary_rows(e, r, head, m, cosine, sine);
  const auto [c, s] = query_turn(r, head);
  const Matrix plain = cosine;
  cosine = c * plain - s * sine, sine = c * sine + s * plain;
}

/// The rotation is not one angle a pair and position: mixed spectra, positions that rotate otherwise.
bool by_position(const Rotary& r) { return !r.mix_cosine.empty() || r.early_until > 0; }

/// The spectrum holds for this encoding's positions, and its cosines are the head's scores.
bool spectral(const Encoding& e, const Rotary& r, Index head) { return !e.point && query_turn(r, head)[0] == 1; }

/// Means over the P pairs of a, of (norm + half the trace of the squared block) / 2 and of norm = a^2 + b^2 (see
/// relative_rotation), pass-through pairs (1, 0) included. The middle one is a^2 of a rotation, norm of a hyperbolic pair.
struct PairMeans {
  std::span<double> a, aa, norm;  // aa and norm may be empty
};

class RotaryLags : public LagStatistics, LagPairs {
 public:
  RotaryLags(const Encoding& e, Index head, Positions p, Keys k)
      : LagPairs(e, head, p, k), rotary_(*form<Rotary>(e)), pairs_(static_cast<double>(rotary_.head_dim / 2)) {
    if (spectral(e, rotary_, head)) spectrum_ = spectrum(e, head);
    if (!spectrum_) return;
    for (std::size_t j = 0; j < spectrum_->turn.size(); ++j) {
      const double square = spectrum_->amplitude[j] * spectrum_->amplitude[j];
      weight_.push_back(square / pairs_);
      weight_norm_.push_back(square * square / pairs_);
      twice_.push_back(spectrum_->turn[j] + spectrum_->turn[j]);
    }
    for (const double z : spectrum_->log_damping) twice_damping_.push_back(2 * z);
  }

  void score(Pos first, std::span<double> out) const override { means(first, {out, {}, {}}); }
  void aligned(Pos first, std::span<double> out) const override {
    score(first, out);
    for (double& x : out) x *= logit_width();
    add_bias(first, out);
    mask(first, out);
  }
  /// With q ~ N(0, I) the logit is scale q^T M k, M of blocks ((a, -b), (b, a)), hyperbolic ((a, b), (b, a)):
  /// mean rho scale tr M, variance scale^2 [rho^2 (tr M^2 + tr M M^T) + (1 - rho^2) tr M M^T].
  void moments(Pos first, LogitMoments& out) const override {
    means(first, {out.slope, out.v2, out.v0});
    const double variance = scale() * logit_width();
    for (std::size_t i = 0; i < out.slope.size(); ++i) {
      out.slope[i] *= logit_width();
      out.v2[i] = variance * (2 * out.v2[i] - out.v0[i]);
      out.v0[i] *= variance;
    }
    std::fill(out.v1.begin(), out.v1.end(), 0.0);
    std::fill(out.offset.begin(), out.offset.end(), 0.0);
    add_bias(first, out.offset);
  }
  /// |M - I|^2 = 2 sum_j (a_j - 1)^2 + b_j^2, without cancellation: b alone gives a small rotation.
  void terms(Pos first, TermMoments& out) const override {
    const Index rotated = rotary_.pairs();
    math::parallel_blocks(static_cast<Pos>(out.square[4].size()), block, [&](Pos at, Pos count) {
      Matrix a(count, rotated), b(count, rotated);
      rotations(first + at, a, b);
      for (Index i = 0; i < static_cast<Index>(count); ++i) {
        double norm = 0;
        for (Index j = 0; j < rotated; ++j) norm += 2 * ((a(i, j) - 1) * (a(i, j) - 1) + b(i, j) * b(i, j));
        out.square[4][static_cast<std::size_t>(at + i)] = content(first + at + i, norm);
      }
    });
    add_common(first, out);
  }

 private:
  double logit_width() const { return scale() * static_cast<double>(rotary_.head_dim); }

  void means(Pos first, PairMeans out) const { spectrum_ ? of_spectrum(first, out) : of_pairs(first, out); }

  void of_spectrum(Pos first, PairMeans out) const {
    const Spectrum& s = *spectrum_;
    std::vector<Pos> lags;
    if (encoding_.pair_map || (keys_ == Keys::after && !s.log_damping.empty()))
      for (std::size_t i = 0; i < out.a.size(); ++i) {
        const auto [m, n] = mapped(first + static_cast<Pos>(i));
        lags.push_back(m - n);
      }
    const auto sum = [&](std::span<const math::Turn> turn, std::span<const double> weight, std::span<const double> damping,
                         std::span<double> result) {
      lags.empty() ? math::cosine_sum(turn, weight, damping, first, result)
                   : math::cosine_sum_at(turn, weight, damping, lags, result);
    };
    sum(s.turn, weight_, s.log_damping, out.a);
    if (out.aa.empty()) return;
    double undamped = 0;
    for (const double w : weight_norm_) undamped += w;
    std::fill(out.norm.begin(), out.norm.end(), undamped);
    const std::vector<math::Turn> still(s.turn.size());
    if (!s.log_damping.empty()) sum(still, weight_norm_, twice_damping_, out.norm);
    sum(twice_, weight_norm_, twice_damping_, out.aa);
    for (std::size_t i = 0; i < out.aa.size(); ++i) out.aa[i] = (out.norm[i] + out.aa[i]) / 2;  // cos^2 t = (1 + cos 2t) / 2
  }

  void of_pairs(Pos first, PairMeans out) const {
    const Index rotated = rotary_.pairs();
    const double rest = pairs_ - static_cast<double>(rotated);
    math::parallel_blocks(static_cast<Pos>(out.a.size()), block, [&](Pos at, Pos count) {
      Matrix a(count, rotated), b(count, rotated);
      rotations(first + at, a, b);
      for (Index i = 0; i < static_cast<Index>(count); ++i) {
        double sum = rest, aa = rest, norm = rest;
        for (Index j = 0; j < rotated; ++j) {
          const double a2 = a(i, j) * a(i, j), b2 = b(i, j) * b(i, j);
          sum += a(i, j), aa += rotary_.hyperbolic ? a2 + b2 : a2, norm += a2 + b2;
        }
        const auto k = static_cast<std::size_t>(at + i);
        out.a[k] = sum / pairs_;
        if (!out.aa.empty()) out.aa[k] = aa / pairs_, out.norm[k] = norm / pairs_;
      }
    });
  }

  /// relative_rotation at the lags first .., one a row.
  void rotations(Pos first, Matrix& a, Matrix& b) const {
    const Index lags = a.rows(), rotated = a.cols();
    const auto [m, n] = pair(first);
    if (!by_position(rotary_) || encoding_.pair_map || !rotary_.log_damping.empty() || pair(first + lags - 1)[0] != m) {
      for (Index i = 0; i < lags; ++i) {
        const auto [query, key] = mapped(first + i);
        relative_rotation(encoding_, rotary_, head_, query, key, a.row(i).data(), b.row(i).data());
      }
      return;
    }
    const bool before = keys_ == Keys::before;
    Matrix qc(1, rotated), qs(1, rotated), kc(lags, rotated), ks(lags, rotated);
    turned_rows(encoding_, rotary_, head_, m, qc, qs);
    rotary_rows(encoding_, rotary_, head_, before ? n - (lags - 1) : n, kc, ks);
    for (Index i = 0; i < lags; ++i) {
      const Index row = before ? lags - 1 - i : i;
      a.row(i) = qc.row(0).cwiseProduct(kc.row(row)) + qs.row(0).cwiseProduct(ks.row(row));
      b.row(i) = qc.row(0).cwiseProduct(ks.row(row)) - qs.row(0).cwiseProduct(kc.row(row));
    }
  }

  const Rotary& rotary_;
  double pairs_;
  std::optional<Spectrum> spectrum_;
  std::vector<double> weight_, weight_norm_, twice_damping_;
  std::vector<math::Turn> twice_;
};

/// e^{(z + t) s} / 2 +- e^{(z - t) s} / 2, finite where the damping outweighs the growth.
void relative_boost(const Encoding& e, const Rotary& r, Index head, Pos m, Pos n, double* a, double* b) {
  const Point pm = e.point ? e.point(m) : Point{m, m, m}, pn = e.point ? e.point(n) : Point{n, n, n};
  const double gain = r.attention_factor * r.attention_factor / 2;
  for (Index j = 0; j < r.pairs(); ++j) {
    double angle = 0;
    for (Index axis = 0; axis < r.axes; ++axis)
      angle += static_cast<double>(pm[static_cast<std::size_t>(axis)] - pn[static_cast<std::size_t>(axis)]) *
               r.at(head, axis, j).theta;
    const double fall = r.log_damping.empty() ? 0 : r.log_damping[static_cast<std::size_t>(j)] * static_cast<double>(m - n);
    const double plus = std::exp(fall + angle), minus = std::exp(fall - angle);
    a[j] = gain * (plus + minus), b[j] = gain * (plus - minus);
  }
}

}  // namespace

void relative_rotation(const Encoding& e, const Rotary& r, Index head, Pos m, Pos n, double* a, double* b) {
  const Index pairs = r.pairs();
  if (r.hyperbolic) return relative_boost(e, r, head, m, n, a, b);
  const auto damping = [&](Index j) {
    return r.log_damping.empty() ? 1.0 : std::exp(r.log_damping[static_cast<std::size_t>(j)] * static_cast<double>(m - n));
  };
  if (by_position(r)) {
    Matrix qc(1, pairs), qs(1, pairs), kc(1, pairs), ks(1, pairs);
    turned_rows(e, r, head, m, qc, qs);
    rotary_rows(e, r, head, n, kc, ks);
    for (Index j = 0; j < pairs; ++j) {
      a[j] = damping(j) * (qc(0, j) * kc(0, j) + qs(0, j) * ks(0, j));
      b[j] = damping(j) * (qc(0, j) * ks(0, j) - qs(0, j) * kc(0, j));
    }
    return;
  }
  const Point pm = e.point ? e.point(m) : Point{m, m, m}, pn = e.point ? e.point(n) : Point{n, n, n};
  std::vector<math::Turn> turn(static_cast<std::size_t>(pairs),
                               r.query_turn.empty() ? math::Turn{} : r.query_turn[static_cast<std::size_t>(head)]);
  for (Index j = 0; j < pairs; ++j)
    for (Index axis = 0; axis < r.axes; ++axis) {
      const auto x = static_cast<std::size_t>(axis);
      auto& t = turn[static_cast<std::size_t>(j)];
      t = t + math::times(pm[x] - pn[x], r.at(head, axis, j).turn);
    }
  math::sincos_turns(turn, a, b);
  for (Index j = 0; j < pairs; ++j) {
    const double g = r.attention_factor * r.attention_factor * damping(j);
    a[j] *= g, b[j] *= -g;
  }
}

StatisticsPointer rotary_lags(const Encoding& e, Index head, Positions positions, Keys keys) {
  return std::make_unique<RotaryLags>(e, head, positions, keys);
}

}  // namespace posenc::model
