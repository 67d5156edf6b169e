#include "model/views/spectrum.hpp"

#include "math/cosine_sum.hpp"

#include <algorithm>

namespace posenc::model {
namespace {

Spectrum of_rotary(const Rotary& r, Index head) {
  Spectrum s;
  s.rotated = r.pairs();
  for (Index j = 0; j < r.pairs(); ++j) {
    Frequency sum;
    for (Index axis = 0; axis < r.axes; ++axis) {
      const Frequency& f = r.at(head, axis, j);
      sum = {sum.turn + f.turn, sum.theta + f.theta};
    }
    s.turn.push_back(sum.turn);
    s.theta.push_back(sum.theta);
    s.amplitude.push_back(r.attention_factor);
  }
  s.log_damping = r.log_damping;
  const auto pairs = static_cast<std::size_t>(r.head_dim / 2);
  s.turn.resize(pairs), s.theta.resize(pairs), s.amplitude.resize(pairs, 1.0);
  if (!s.log_damping.empty()) s.log_damping.resize(pairs);
  return s;
}

Spectrum of_table(const std::vector<Frequency>& frequencies) {
  Spectrum s;
  for (const Frequency& f : frequencies) s.turn.push_back(f.turn), s.theta.push_back(f.theta);
  s.amplitude.assign(s.turn.size(), 1.0);
  s.rotated = s.pairs();
  return s;
}

std::vector<double> weights(const Spectrum& s, bool amplified) {
  std::vector<double> w(s.turn.size(), 1.0 / static_cast<double>(s.pairs()));
  if (amplified)
    for (std::size_t j = 0; j < w.size(); ++j) w[j] *= s.amplitude[j] * s.amplitude[j];
  return w;
}

}  // namespace

double Spectrum::constant_share() const {
  return static_cast<double>(std::count(turn.begin(), turn.end(), math::Turn{})) / static_cast<double>(pairs());
}

std::optional<Spectrum> spectrum(const Encoding& e, Index head) {
  if (const auto* r = form<Rotary>(e)) {
    if (!r->mix_cosine.empty() || r->early_until > 0 || r->hyperbolic) return {};
    return of_rotary(*r, head);
  }
  if (const auto* t = form<AbsoluteTable>(e); t && std::holds_alternative<Added>(t->entry) && !t->row_of)
    if (const auto* frequencies = t->rows->spectrum()) return of_table(*frequencies);
  return {};
}

std::optional<Pos> lag_of(const Encoding& e, Pos m, Pos n) {
  if (e.point) return {};
  if (!e.pair_map) return m - n;
  const auto mapped = e.pair_map(m, n);
  return mapped[0] - mapped[1];
}

void kappa(const Spectrum& s, Pos first_lag, std::span<double> out) {
  math::cosine_sum(s.turn, weights(s, false), s.log_damping, first_lag, out);
}
void kappa_amplified(const Spectrum& s, Pos first_lag, std::span<double> out) {
  math::cosine_sum(s.turn, weights(s, true), s.log_damping, first_lag, out);
}
void one_minus_kappa(const Spectrum& s, Pos first_lag, std::span<double> out) {
  math::cosine_deficit(s.turn, weights(s, false), s.log_damping, first_lag, out);
}

}  // namespace posenc::model
