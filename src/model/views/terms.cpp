#include "model/views/terms.hpp"

#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace posenc::model {
namespace {

using Mapped = std::array<Pos, 2>;
Mapped mapped(const Encoding& e, Pos m, Pos n) { return e.pair_map ? e.pair_map(m, n) : Mapped{m, n}; }

template <class Body>
void each_pair(const Encoding& e, const Tokens& t, const Body& body) {
  for (std::size_t i = 0; i < t.query.size(); ++i)
    for (std::size_t j = 0; j < t.key.size(); ++j) {
      const auto [m, n] = mapped(e, t.query[i], t.key[j]);
      body(static_cast<Index>(i), static_cast<Index>(j), m, n);
    }
}

/// body(first, count) for each run of consecutive positions.
template <class Body>
void each_run(const std::vector<Pos>& positions, const Body& body) {
  for (std::size_t first = 0, end = 0; first < positions.size(); first = end) {
    end = first + 1;
    while (end < positions.size() && positions[end] == positions[end - 1] + 1) ++end;
    body(static_cast<Index>(first), static_cast<Index>(end - first));
  }
}

Matrix table_rows(const AbsoluteTable& a, const std::vector<Pos>& positions) {
  Matrix p(static_cast<Index>(positions.size()), a.rows->channels());
  std::vector<Pos> rows(positions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = a.row(positions[i]);
  each_run(rows, [&](Index first, Index count) {
    a.rows->block(rows[static_cast<std::size_t>(first)], p.middleRows(first, count));
  });
  return p;
}

void rotate_at(const Encoding& e, const Rotary& r, Index head, Side side, const std::vector<Pos>& positions, Matrix& x) {
  each_run(positions, [&](Index first, Index count) {
    Matrix some = x.middleRows(first, count);
    rotate(e, r, head, side, positions[static_cast<std::size_t>(first)], some);
    x.middleRows(first, count) = some;
  });
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

void add_relative(const Encoding& e, const RelativeVectors& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k,
                  Terms& t) {
  const auto side = [&](const RelativeVectors::Side& s, const Matrix& weights, auto&& use) {
    Pos low = std::numeric_limits<Pos>::max(), high = -1;
    each_pair(e, c, [&](Index, Index, Pos m, Pos n) {
      if (e.causal && n > m) return;
      low = std::min(low, s.index(m, n)), high = std::max(high, s.index(m, n));
    });
    if (high < low) return;
    SideVectors a{r, s, head, weights, 0, {}};
    a.load(low, high);
    each_pair(e, c, [&](Index i, Index j, Pos m, Pos n) {
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

void add_untied(const AbsoluteTable& a, const Untied& u, Index head, const Tokens& c, Terms& t) {
  const Index d = u.query.cols() / u.heads;
  Matrix q = table_rows(a, c.query) * u.query.middleCols(head * d, d), k = table_rows(a, c.key) * u.key.middleCols(head * d, d);
  if (u.query_bias.size()) q.rowwise() += u.query_bias.segment(head * d, d).transpose();
  if (u.key_bias.size()) k.rowwise() += u.key_bias.segment(head * d, d).transpose();
  t.pp += q * k.transpose();
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

Matrix rotation(const Encoding& e, const Rotary& r, Index head, const Tokens& c, const Matrix& q, const Matrix& k) {
  const Matrix plain = q * k.transpose();
  if (e.pair_map || r.hyperbolic) return rotated_by_pair(e, r, head, c, q, k) - plain;
  Matrix a = q, b = k;
  rotate_at(e, r, head, Side::query, c.query, a);
  rotate_at(e, r, head, Side::key, c.key, b);
  return a * b.transpose() - plain;
}

void reset_class(const Encoding& e, const Untied& u, Index head, const Tokens& c, Terms& t) {
  if (!u.class_reset) return;
  for (std::size_t i = 0; i < c.query.size(); ++i)
    for (std::size_t j = 0; j < c.key.size(); ++j) {
      if (c.query[i] != 0 && c.key[j] != 0) continue;
      const double value = (*u.class_reset)[c.query[i] == 0 ? 0 : 1][head];
      t.pp(static_cast<Index>(i), static_cast<Index>(j)) = value / logit_scale(e, c.query[i]);
    }
}

/// 1/|row|, rows shorter than 1e-12 counted as that long (PyTorch's normalize).
Vector inverse_lengths(const Matrix& x) { return x.rowwise().norm().cwiseMax(1e-12).cwiseInverse(); }

void check_content(const Encoding& e, const Contextual& x, const Content& c) {
  if (e.cosine) throw std::logic_error("terms: scores from content replace the product that cosine attention normalises");
  if (x.every_head && static_cast<Index>(c.every_head.size()) != e.heads)
    throw std::logic_error(fmt::format("terms: {} of {} heads have weights: the scores of a head need the products of all",
                                       c.every_head.size(), e.heads));
}

}  // namespace

double logit_scale(const Encoding& e, Pos m) { return e.query_scale ? e.logit_scale * e.query_scale(m) : e.logit_scale; }

bool sees(const Encoding& e, Pos m, Pos n) { return (!e.causal || n <= m) && (!e.visible || e.visible(m, n)); }

Terms terms(const Encoding& e, Index head, const Tokens& c) {
  Matrix q = c.x_query * c.w_query, k = c.x_key * c.w_key;
  if (e.linear) q = q.unaryExpr(e.linear), k = k.unaryExpr(e.linear);
  const Matrix none = Matrix::Zero(q.rows(), k.rows());
  Terms t{q * k.transpose(), none, none, none, none, none};
  for (const Term& term : e.terms)
    if (const auto* a = std::get_if<AbsoluteTable>(&term); a && std::holds_alternative<Added>(a->entry)) {
      if (e.linear) throw std::logic_error("terms: a feature map does not part what a table adds to its argument");
      const double s = std::get<Added>(a->entry).embedding_scale;
      const Matrix pq = table_rows(*a, c.query) * c.w_query, pk = table_rows(*a, c.key) * c.w_key;
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
                       if (const auto* u = std::get_if<Untied>(&a.entry)) add_untied(a, *u, head, c, t);
                     },
                     [&](const Rotary& r) { t.rotation += rotation(e, r, head, c, q, k); },
                     [&](const RelativeVectors& r) { add_relative(e, r, head, c, q, k, t); },
                     [&](const Bias& b) {
                       each_pair(e, c, [&](Index i, Index j, Pos m, Pos n) {
                         const Pos at = c.query[static_cast<std::size_t>(i)];
                         if (!e.causal || n <= m) t.pp(i, j) += b.value(head, m, n) / logit_scale(e, at);
                       });
                     },
                     [&](const Contextual&) { throw std::logic_error("terms: scores made from content need the whole sequence"); }},
               term);
  if (const auto* a = form<AbsoluteTable>(e))
    if (const auto* u = std::get_if<Untied>(&a->entry)) reset_class(e, *u, head, c, t);
  return t;
}

Terms terms(const Encoding& e, Index head, const Content& c, Pos start) {
  Encoding rest = e;
  std::erase_if(rest.terms, [](const Term& term) { return std::holds_alternative<Contextual>(term); });
  std::vector<Pos> positions(static_cast<std::size_t>(c.x.rows()));
  std::iota(positions.begin(), positions.end(), start);
  Terms t = terms(rest, head, Tokens{positions, positions, c.x, c.x, c.w_query, c.w_key});
  for (const Term& term : e.terms)
    if (const auto* x = std::get_if<Contextual>(&term)) {
      check_content(e, *x, c);
      t.context += x->scores(c, head, start) - c.q() * c.k().transpose();
    }
  return t;
}

Matrix logits(const Encoding& e, Index head, const Content& c, Pos start) {
  Matrix out = terms(e, head, c, start).sum();
  for (Index i = 0; i < out.rows(); ++i) out.row(i) *= logit_scale(e, start + i);
  return out;
}

void softmax_rows(const Encoding& e, Pos start, Matrix& x) {
  for (Index i = 0; i < x.rows(); ++i) {
    double top = -std::numeric_limits<double>::infinity(), sum = 0;
    const auto seen = [&](Index j) { return sees(e, start + i, start + j); };
    for (Index j = 0; j < x.cols(); ++j)
      if (seen(j)) top = std::max(top, x(i, j));
    for (Index j = 0; j < x.cols(); ++j) sum += x(i, j) = seen(j) ? std::exp(x(i, j) - top) : 0;
    for (Index j = 0; j < x.cols(); ++j) x(i, j) /= sum;
  }
}

Matrix attention(const Encoding& e, Index head, const Content& c, Pos start) {
  const Terms t = terms(e, head, c, start);
  Matrix x = t.sum();
  if (!e.linear) {
    for (Index i = 0; i < x.rows(); ++i) x.row(i) *= logit_scale(e, start + i);
    softmax_rows(e, start, x);
    return x;
  }
  for (Index i = 0; i < x.rows(); ++i) {
    double sum = 0;
    for (Index j = 0; j < x.cols(); ++j)
      if (sees(e, start + i, start + j))
        sum += t.cc(i, j);
      else
        x(i, j) = 0;
    x.row(i) /= sum;
  }
  return x;
}

}  // namespace posenc::model
