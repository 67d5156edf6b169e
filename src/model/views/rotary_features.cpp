#include "model/views/rotary_features.hpp"

#include "math/phase_table.hpp"
#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/spectrum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace posenc::model {
namespace {

/// Pairs as columns: cosines, sines, and one constant for all pass-through pairs with the weight sqrt(their number).
struct Columns {
  std::vector<math::Turn> turn;
  std::vector<double> log_damping;  // empty: none
  double constant = 0;              // 0: no such column
  double amplitude = 1;             // of cosines and sines
  Index pairs() const { return static_cast<Index>(turn.size()); }
  Index size() const { return 2 * pairs() + (constant > 0); }
};

double constant_of(const Rotary& r) { return std::sqrt(static_cast<double>(r.head_dim / 2 - r.pairs())); }

Columns columns_of(const Rotary& r, const Spectrum& s, double amplitude) {
  Columns c{s.turn, s.log_damping, constant_of(r), amplitude};
  c.turn.resize(r.channel.size());
  if (!c.log_damping.empty()) c.log_damping.resize(r.channel.size());
  return c;
}

void finish_row(const Columns& c, Index i, Pos lag, Eigen::Ref<Matrix> out) {
  const Index P = c.pairs();
  for (Index j = 0; j < P && !c.log_damping.empty(); ++j) {
    const double w = std::exp(c.log_damping[static_cast<std::size_t>(j)] * static_cast<double>(lag));
    out(i, j) *= w, out(i, P + j) *= w;
  }
  if (c.constant > 0) out(i, 2 * P) = c.constant;
}

void fill_by_lag(const Columns& c, const Pairs& p, Eigen::Ref<Matrix> out) {
  math::phase_table(c.turn, p.first_lag, p.count, {out.outerStride(), 1, 0, c.pairs()}, out.data(), c.amplitude);
  for (Index i = 0; i < p.count; ++i) finish_row(c, i, p.first_lag + i, out);
}

void fill_by_mapped_lag(const Encoding& e, const Columns& c, const Pairs& p, Eigen::Ref<Matrix> out) {
  std::vector<Pos> lags(static_cast<std::size_t>(p.count));
  for (Index i = 0; i < p.count; ++i) lags[static_cast<std::size_t>(i)] = *lag_of(e, p.query, p.query - p.first_lag - i);
  const auto [low, high] = std::minmax_element(lags.begin(), lags.end());
  if (*high - *low < 2 * p.count) {  // a map keeps most lags near each other: one table for all
    Matrix known(static_cast<Index>(*high - *low + 1), 2 * c.pairs());
    math::phase_table(c.turn, *low, known.rows(), {known.cols(), 1, 0, c.pairs()}, known.data(), c.amplitude);
    for (Index i = 0; i < p.count; ++i) {
      const Pos lag = lags[static_cast<std::size_t>(i)];
      out.row(i).head(known.cols()) = known.row(static_cast<Index>(lag - *low));
      finish_row(c, i, lag, out);
    }
    return;
  }
  std::vector<math::Turn> turns(c.turn.size());
  for (Index i = 0; i < p.count; ++i) {
    const Pos lag = lags[static_cast<std::size_t>(i)];
    for (std::size_t j = 0; j < turns.size(); ++j) turns[j] = math::times(lag, c.turn[j]);
    math::sincos_turns(turns, out.row(i).data(), out.row(i).data() + c.pairs());
    out.row(i) *= c.amplitude;
    finish_row(c, i, lag, out);
  }
}

/// Re and Im of z_j(m) conj z_j(n), and a constant for the channels that pass through.
void fill_by_rows(const Encoding& e, const Rotary& r, Index head, const Pairs& p, Eigen::Ref<Matrix> out) {
  const Index P = r.pairs();
  const Pos first = p.query - p.first_lag - (p.count - 1);  // keys ascend, lags descend
  Matrix qc(1, P), qs(1, P), kc(p.count, P), ks(p.count, P), oc(1, P), os(1, P);
  if (!e.pair_map) rotary_rows(e, r, head, p.query, qc, qs), rotary_rows(e, r, head, first, kc, ks);
  for (Index i = 0; i < p.count; ++i) {
    Pos m = p.query, n = p.query - p.first_lag - i;
    if (e.pair_map) {
      const auto pair = e.pair_map(m, n);
      m = pair[0], n = pair[1];
      rotary_rows(e, r, head, m, qc, qs), rotary_rows(e, r, head, n, oc, os);
    } else {
      oc = kc.row(p.count - 1 - i), os = ks.row(p.count - 1 - i);
    }
    for (Index j = 0; j < P; ++j) {
      const double w =
          r.log_damping.empty() ? 1 : std::exp(r.log_damping[static_cast<std::size_t>(j)] * static_cast<double>(m - n));
      out(i, j) = w * (qc(0, j) * oc(0, j) + qs(0, j) * os(0, j));
      out(i, P + j) = w * (qs(0, j) * oc(0, j) - qc(0, j) * os(0, j));
    }
    if (out.cols() > 2 * P) out(i, 2 * P) = constant_of(r);
  }
}

/// e^{(z + t) s} and e^{(z - t) s} of hyperbolic pairs, and the constant.
void fill_boosts(const Encoding& e, const Rotary& r, Index head, double amplitude, const Pairs& p, Eigen::Ref<Matrix> out) {
  const Index P = r.pairs();
  std::vector<double> a(static_cast<std::size_t>(P)), b(a.size());
  for (Index i = 0; i < p.count; ++i) {
    Pos m = p.query, n = p.query - p.first_lag - i;
    if (e.pair_map) {
      const auto pair = e.pair_map(m, n);
      m = pair[0], n = pair[1];
    }
    relative_rotation(e, r, head, m, n, a.data(), b.data());
    for (Index j = 0; j < P; ++j) {
      const auto x = static_cast<std::size_t>(j);
      out(i, j) = amplitude * (a[x] + b[x]), out(i, P + j) = amplitude * (a[x] - b[x]);
    }
    if (out.cols() > 2 * P) out(i, 2 * P) = constant_of(r);
  }
}

}  // namespace

Features rotary_features(const Encoding& e, const Rotary& r, Index head, Temperature temperature) {
  Features f;
  f.shared_by_heads = !r.per_head;
  if (r.hyperbolic) {
    const double amplitude = temperature == Temperature::left_out ? 1 / (r.attention_factor * r.attention_factor) : 1;
    f.by_query = e.pair_map || e.point;
    f.form = DenseFeatures{2 * r.pairs() + (constant_of(r) > 0), [e, r, head, amplitude](const Pairs& p, Eigen::Ref<Matrix> out) {
                             fill_boosts(e, r, head, amplitude, p, out);
                           }};
    return f;
  }
  const auto s = spectrum(e, head);
  if (!s || e.point) {
    f.by_query = true;
    Rotary plain = r;
    if (temperature == Temperature::left_out) plain.attention_factor = 1;
    const Index size = 2 * r.pairs() + (constant_of(r) > 0);
    f.form =
        DenseFeatures{size, [e, plain, head](const Pairs& p, Eigen::Ref<Matrix> out) { fill_by_rows(e, plain, head, p, out); }};
    return f;
  }
  const double amplitude = temperature == Temperature::left_out ? 1 : r.attention_factor * r.attention_factor;
  const Columns c = columns_of(r, *s, amplitude);
  f.by_query = static_cast<bool>(e.pair_map);
  if (e.pair_map) {
    f.form = DenseFeatures{c.size(), [e, c](const Pairs& p, Eigen::Ref<Matrix> out) { fill_by_mapped_lag(e, c, p, out); }};
    return f;
  }
  f.form = DenseFeatures{c.size(), [c](const Pairs& p, Eigen::Ref<Matrix> out) { fill_by_lag(c, p, out); }};
  for (const math::Turn& t : c.turn) f.key.insert(f.key.end(), {t.hi, t.lo});
  for (const double z : c.log_damping) f.key.push_back(std::bit_cast<std::uint64_t>(z));
  f.key.push_back(std::bit_cast<std::uint64_t>(c.constant));
  f.key.push_back(std::bit_cast<std::uint64_t>(c.amplitude));
  return f;
}

}  // namespace posenc::model
