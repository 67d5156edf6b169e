#include "model/views/term_forms.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <numeric>
#include <stdexcept>

namespace posenc::model {
namespace {

Matrix table_rows(const AbsoluteTable& a, const std::vector<Pos>& positions) {
  Matrix p(static_cast<Index>(positions.size()), a.rows->channels());
  std::vector<Pos> rows(positions.size());
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = a.row(positions[i]);
  each_run(rows, [&](Index first, Index count) {
    a.rows->block(rows[static_cast<std::size_t>(first)], p.middleRows(first, count));
  });
  return p;
}

void add_untied(const AbsoluteTable& a, const Untied& u, Index head, const Tokens& c, Terms& t) {
  const Index d = u.query.cols() / u.heads;
  Matrix q = table_rows(a, c.query) * u.query.middleCols(head * d, d), k = table_rows(a, c.key) * u.key.middleCols(head * d, d);
  if (u.query_bias.size()) q.rowwise() += u.query_bias.segment(head * d, d).transpose();
  if (u.key_bias.size()) k.rowwise() += u.key_bias.segment(head * d, d).transpose();
  t.pp += q * k.transpose();
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
                     [&](const Rotary& r) { t.rotation += rotation_term(e, r, head, c, q, k); },
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

}  // namespace posenc::model
