#include "model/views/terms.hpp"

#include "math/phase_table.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <cmath>
#include <stdexcept>

namespace posenc::model {
namespace {

/// What a row of scores is multiplied by to give logits.
double scale_of(const Encoding& e, Pos m) { return e.query_scale ? e.logit_scale * e.query_scale(m) : e.logit_scale; }

using Mapped = std::array<Pos, 2>;
Mapped mapped(const Encoding& e, Pos m, Pos n) { return e.pair_map ? e.pair_map(m, n) : Mapped{m, n}; }

template <class Body>
void each_pair(const Encoding& e, Index queries, Index keys, Pos start, const Body& body) {
  for (Index i = 0; i < queries; ++i)
    for (Index j = 0; j < keys; ++j) {
      const auto [m, n] = mapped(e, start + i, start + j);
      body(i, j, m, n);
    }
}

Matrix table_rows(const AbsoluteTable& a, Pos start, Index count) {
  Matrix p(count, a.rows->channels());
  if (!a.row_of) {
    a.rows->block(start + a.first_row, p);
    return p;
  }
  Matrix row(1, p.cols());
  for (Index i = 0; i < count; ++i) a.rows->block(a.row(start + i), row), p.row(i) = row;
  return p;
}

/// A side's vectors of one head, one row a table row that the pairs use; cached so that each row is projected once.
struct SideVectors {
  const RelativeVectors& form;
  const RelativeVectors::Side& side;
  Index head;
  const Matrix& content_weights;
  Pos first = 0;
  Matrix vectors;

  void load(Pos low, Pos high) {
    first = low;
    Matrix rows(high - low + 1, side.rows->channels());
    side.rows->block(low, rows);
    const Index d = form.head_dim;
    switch (side.through) {
      case RelativeVectors::Through::as_is:
        vectors = form.shared ? rows : Matrix(rows.middleCols(head * d, d));
        break;
      case RelativeVectors::Through::given:
        vectors = rows * side.weights.middleCols(head * d, d);
        break;
      case RelativeVectors::Through::content:
        vectors = rows * content_weights;
        break;
    }
  }
};

void add_relative(const Encoding& e, const RelativeVectors& r, Index head, const Content& c, Pos start, const Matrix& q,
                  const Matrix& k, Terms& t) {
  const Index N = q.rows();
  const auto side = [&](const RelativeVectors::Side& s, const Matrix& weights, auto&& use) {
    Pos low = s.index(start, start), high = low;
    each_pair(e, N, N, start, [&](Index, Index, Pos m, Pos n) {
      if (e.causal && n > m) return;
      low = std::min(low, s.index(m, n)), high = std::max(high, s.index(m, n));
    });
    SideVectors a{r, s, head, weights, 0, {}};
    a.load(low, high);
    each_pair(e, N, N, start, [&](Index i, Index j, Pos m, Pos n) {
      if (e.causal && n > m) return;
      use(i, j, a.vectors.row(s.index(m, n) - a.first));
    });
  };
  if (r.at_query)
    side(*r.at_query, c.w_key, [&](Index i, Index j, const auto& a) {
      t.cp(i, j) += q.row(i).dot(a);
      if (r.v) t.pp(i, j) += r.v->row(head).dot(a);
    });
  if (r.at_key) side(*r.at_key, c.w_query, [&](Index i, Index j, const auto& a) { t.pc(i, j) += a.dot(k.row(j)); });
  if (r.u) t.pc.rowwise() += (k * r.u->row(head).transpose()).transpose();
}

void add_untied(const AbsoluteTable& a, const Untied& u, Index head, Pos start, Index N, Terms& t) {
  const Index d = u.query.cols() / u.heads;
  const Matrix p = table_rows(a, start, N);
  Matrix q = p * u.query.middleCols(head * d, d), k = p * u.key.middleCols(head * d, d);
  if (u.query_bias.size()) q.rowwise() += u.query_bias.segment(head * d, d).transpose();
  if (u.key_bias.size()) k.rowwise() += u.key_bias.segment(head * d, d).transpose();
  t.pp += q * k.transpose();
}

/// q.R(m - n)k where the position map makes the rotation depend on both positions.
Matrix rotated_by_pair(const Encoding& e, const Rotary& r, Index head, Pos start, const Matrix& q, const Matrix& k) {
  Matrix out(q.rows(), k.rows());
  std::vector<math::Turn> turns(r.channel.size());
  std::vector<double> cosine(turns.size()), sine(turns.size());
  each_pair(e, q.rows(), k.rows(), start, [&](Index i, Index j, Pos m, Pos n) {
    const Point pm = e.point ? e.point(m) : Point{m, m, m}, pn = e.point ? e.point(n) : Point{n, n, n};
    for (Index p = 0; p < r.pairs(); ++p) {
      math::Turn t;
      for (Index axis = 0; axis < r.axes; ++axis) {
        const auto x = static_cast<std::size_t>(axis);
        t = t + math::times(pm[x] - pn[x], r.at(head, axis, p).turn);
      }
      turns[static_cast<std::size_t>(p)] = t;
    }
    math::sincos_turns(turns, cosine.data(), sine.data());
    double sum = q.row(i).dot(k.row(j));
    for (Index p = 0; p < r.pairs(); ++p) {
      const auto x = static_cast<std::size_t>(p);
      const auto [a, b] = r.channel[x];
      const double g = r.attention_factor * r.attention_factor *
                       (r.log_damping.empty() ? 1 : std::exp(r.log_damping[x] * static_cast<double>(m - n)));
      const double even = q(i, a) * k(j, a) + q(i, b) * k(j, b), odd = q(i, a) * k(j, b) - q(i, b) * k(j, a);
      sum += g * (even * cosine[x] + odd * sine[x]) - even;
    }
    out(i, j) = sum;
  });
  return out;
}

Matrix rotation(const Encoding& e, const Rotary& r, Index head, Pos start, const Matrix& q, const Matrix& k) {
  const Matrix plain = q * k.transpose();
  if (e.pair_map) return rotated_by_pair(e, r, head, start, q, k) - plain;
  Matrix a = q, b = k;
  rotate(e, r, head, Side::query, start, a);
  rotate(e, r, head, Side::key, start, b);
  return a * b.transpose() - plain;
}

/// 1/|row|, rows shorter than 1e-12 counted as that long (PyTorch's normalize).
Vector inverse_lengths(const Matrix& x) { return x.rowwise().norm().cwiseMax(1e-12).cwiseInverse(); }

void check_content(const Encoding& e, const Content& c) {
  for (const Term& term : e.terms) {
    const auto* x = std::get_if<Contextual>(&term);
    if (x && e.cosine) throw std::logic_error("terms: scores from content replace the product that cosine attention normalises");
    if (x && x->every_head && static_cast<Index>(c.every_head.size()) != e.heads)
      throw std::logic_error(fmt::format("terms: {} of {} heads have weights: the scores of a head need the products of all",
                                         c.every_head.size(), e.heads));
  }
}

}  // namespace

Terms terms(const Encoding& e, Index head, const Content& c, Pos start) {
  check_content(e, c);
  Matrix q = c.q(), k = c.k();
  const Index N = q.rows();
  Terms t{q * k.transpose(), Matrix::Zero(N, N), Matrix::Zero(N, N), Matrix::Zero(N, N), Matrix::Zero(N, N)};
  for (const Term& term : e.terms)
    if (const auto* a = std::get_if<AbsoluteTable>(&term); a && std::holds_alternative<Added>(a->entry)) {
      const double s = std::get<Added>(a->entry).embedding_scale;
      const Matrix p = table_rows(*a, start, N), pq = p * c.w_query, pk = p * c.w_key;
      q *= s, k *= s;
      t.cc = q * k.transpose();
      t.cp = q * pk.transpose(), t.pc = pq * k.transpose(), t.pp = pq * pk.transpose();
      q += pq, k += pk;  // what a rotation or relative vector meets
    }
  if (e.cosine) {
    const Vector by_query = inverse_lengths(q), by_key = inverse_lengths(k);
    q = by_query.asDiagonal() * q, k = by_key.asDiagonal() * k;
    for (Matrix* part : {&t.cc, &t.cp, &t.pc, &t.pp}) *part = by_query.asDiagonal() * *part * by_key.asDiagonal();
  }
  for (const Term& term : e.terms)
    std::visit(match{[&](const AbsoluteTable& a) {
                       if (const auto* u = std::get_if<Untied>(&a.entry)) add_untied(a, *u, head, start, N, t);
                     },
                     [&](const Rotary& r) { t.rotation += rotation(e, r, head, start, q, k); },
                     [&](const RelativeVectors& r) { add_relative(e, r, head, c, start, q, k, t); },
                     [&](const Bias& b) {
                       each_pair(e, N, N, start, [&](Index i, Index j, Pos m, Pos n) {
                         if (!e.causal || n <= m) t.pp(i, j) += b.value(head, m, n) / scale_of(e, start + i);
                       });
                     },
                     [&](const Contextual& x) { t.cc = x.scores(c, head, start); }},
               term);
  if (const auto* a = form<AbsoluteTable>(e); a && start == 0)
    if (const auto* u = std::get_if<Untied>(&a->entry); u && u->class_reset) {
      t.pp.row(0).setConstant((*u->class_reset)[0][head] / scale_of(e, 0));
      for (Index i = 1; i < N; ++i) t.pp(i, 0) = (*u->class_reset)[1][head] / scale_of(e, i);
    }
  return t;
}

Matrix logits(const Encoding& e, Index head, const Content& c, Pos start) {
  Matrix out = terms(e, head, c, start).sum();
  for (Index i = 0; i < out.rows(); ++i) out.row(i) *= scale_of(e, start + i);
  return out;
}

void softmax_rows(const Encoding& e, Pos start, Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    const auto seen = [&](Index j) { return (!e.causal || j <= i) && (!e.visible || e.visible(start + i, start + j)); };
    for (Index j = 0; j < x.cols(); ++j)
      if (seen(j)) top = std::max(top, x(i, j));
    for (Index j = 0; j < x.cols(); ++j) sum += x(i, j) = seen(j) ? std::exp(x(i, j) - top) : 0;
    for (Index j = 0; j < x.cols(); ++j) x(i, j) /= sum;
  }
}

}  // namespace posenc::model
