#include "analyses/properties_matrix.hpp"

#include "analyses/head_content.hpp"
#include "math/parallel.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/terms.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::analyses {

using namespace model;

namespace {

constexpr Index row_block = 64;

std::vector<Pos> positions(const Sampled& p, Index first, Index count) {
  std::vector<Pos> out;
  for (Index i = first; i < first + count; ++i) out.push_back(p.at(i));
  return out;
}

void rows_of(const Encoding& e, const Rotary& r, Index head, const Sampled& p, Matrix& cosine, Matrix& sine) {
  cosine.resize(p.count, r.pairs()), sine.resize(p.count, r.pairs());
  Matrix c(1, r.pairs()), s(1, r.pairs());
  for (Index i = 0; i < p.count; ++i) {
    rotary_rows(e, r, head, p.at(i), c, s);
    cosine.row(i) = c, sine.row(i) = s;
  }
}

/// The same content at every position of a side; none where position has a score of its own.
struct Sides {
  Matrix query, key, w_query, w_key;

  Sides(const Encoding& e, Kind kind, Index head, std::int64_t seed) {
    if (kind == Kind::untied || kind == Kind::bias) {
      query = key = Matrix::Zero(1, 1);
      w_query = w_key = Matrix::Zero(1, e.head_dim);
      return;
    }
    const HeadContent content(e, {}, seed);
    query = content.inputs(0, 1), key = content.inputs(1, 1);
    w_query = content.query(head), w_key = content.key(head);
  }
};

}  // namespace

bool causal_by_itself(const Encoding& e) {
  const Traits t = traits(e);
  if (t.kind == Kind::rotary) return t.damped;
  if (t.kind == Kind::none) return e.causal && e.visible;  // a window's own mask
  if (t.kind == Kind::table || t.kind == Kind::untied) return false;
  return e.causal;
}

Matrix position_scores(const Encoding& e, Index head, const Sampled& at, std::int64_t seed) {
  const Index N = at.count;
  const Traits t = traits(e);
  Matrix out(N, N);
  if (t.kind == Kind::table) {
    const auto& table = *form<AbsoluteTable>(e);
    Matrix p(N, table.rows->channels());
    for (Index i = 0; i < N; ++i) table.rows->block(table.row(at.at(i)), p.middleRows(i, 1));
    math::parallel_blocks(N, row_block, [&](Pos first, Pos count) {
      const Matrix rows = p.middleRows(first, count);
      out.middleRows(first, count) = rows * p.transpose();
    });
    return out;
  }
  Encoding plain = e;
  for (Term& term : plain.terms)
    if (auto* a = std::get_if<AbsoluteTable>(&term))
      if (auto* u = std::get_if<Untied>(&a->entry)) u->class_reset.reset();
  const Sides sides(e, t.kind, head, seed);
  const std::vector<Pos> keys = positions(at, 0, N);
  math::parallel_blocks(N, row_block, [&](Pos first, Pos count) {
    const Tokens tokens{positions(at, static_cast<Index>(first), static_cast<Index>(count)), keys, sides.query.replicate(count, 1), sides.key.replicate(N, 1),
                        sides.w_query, sides.w_key};
    const Terms terms = model::terms(plain, head, tokens);
    out.middleRows(first, count) = t.kind == Kind::untied || t.kind == Kind::bias ? terms.pp : terms.sum();
    for (Index i = 0; i < count; ++i) out.row(first + i) *= logit_scale(e, at.at(static_cast<Index>(first) + i));
  });
  return out;
}

double translation_defect(const Matrix& m, bool lower) {
  const Index N = m.rows();
  double variances = 0, squares = 0, elements = 0;
  for (Index s = lower ? 0 : 1 - N; s < N; ++s) {  // query minus key
    const Index count = N - std::abs(s), row = std::max<Index>(s, 0), column = std::max<Index>(-s, 0);
    double sum = 0, square = 0, variance = 0;
    for (Index i = 0; i < count; ++i) sum += m(row + i, column + i);
    const double mean = sum / static_cast<double>(count);
    for (Index i = 0; i < count; ++i) {
      const double x = m(row + i, column + i);
      square += x * x, variance += (x - mean) * (x - mean);
    }
    variances += variance / static_cast<double>(count), squares += square, elements += static_cast<double>(count);
  }
  return std::sqrt(variances / static_cast<double>(lower ? N : 2 * N - 1)) / std::sqrt(squares / elements);
}

double symmetry_defect(const Matrix& m) {
  double difference = 0, all = 0;
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j) {
      const double x = m(i, j) - m(j, i);
      difference += x * x, all += m(i, j) * m(i, j);
    }
  return std::sqrt(difference / all);
}

double norm_defect(const Encoding& e, Index head, const Sampled& p) {
  const auto& r = *form<Rotary>(e);
  Matrix c, s;
  rows_of(e, r, head, p, c, s);
  double largest = 2 * r.pairs() < r.head_dim ? 1 : 0;
  for (Index i = 0; i < c.size(); ++i) largest = std::max(largest, std::hypot(c.data()[i], s.data()[i]));
  return largest - 1;
}

double symmetry_defect_expected(const Encoding& e, Index head, const Sampled& p) {
  const auto& r = *form<Rotary>(e);
  const Index N = p.count;
  Matrix c, s;
  rows_of(e, r, head, p, c, s);
  // With (even, odd) = (q.k, q x k) of a pair, independent and of one variance, M_mn = even a + odd b and M_nm = even a - odd b.
  const double rest = static_cast<double>(r.head_dim / 2 - r.pairs());
  std::vector<double> odd(static_cast<std::size_t>(N)), all(odd.size());
  math::parallel_for(N, [&](std::int64_t m) {
    double b2 = 0, norm = 0;
    for (Index n = 0; n < N; ++n) {
      for (Index j = 0; j < r.pairs(); ++j) {
        const double a = c(m, j) * c(n, j) + s(m, j) * s(n, j), b = s(m, j) * c(n, j) - c(m, j) * s(n, j);
        b2 += b * b, norm += a * a + b * b;
      }
      norm += rest;
    }
    odd[static_cast<std::size_t>(m)] = b2, all[static_cast<std::size_t>(m)] = norm;
  });
  return std::sqrt(4 * std::accumulate(odd.begin(), odd.end(), 0.0) / std::accumulate(all.begin(), all.end(), 0.0));
}

double permutation_defect(const Encoding& e, Index head, Pos start, Index N, std::int64_t seed) {
  const HeadContent content(e, {}, seed), other(e, {}, seed, 1);
  const Matrix value = other.query(head);
  Content c = content.sequence(head, 0, N);
  // Without causal mask, and without the scores of keys after the query where the scheme has none.
  const auto attention = [&](const Content& x) -> Matrix {
    Encoding open = e;
    open.causal = false;
    if (e.linear) return model::attention(open, head, x, start) * (x.x * value);
    Matrix w = logits(e, head, x, start);
    softmax_rows(open, start, w);
    return w * (x.x * value);
  };
  const Matrix plain = attention(c);
  const Matrix order = other.inputs(0, N);  // the permutation sorts the first draw of each position
  std::vector<Index> permutation(static_cast<std::size_t>(N));
  std::iota(permutation.begin(), permutation.end(), Index{0});
  std::sort(permutation.begin(), permutation.end(), [&](Index a, Index b) { return order(a, 0) < order(b, 0); });
  const Matrix x = c.x;
  for (Index i = 0; i < N; ++i) c.x.row(i) = x.row(permutation[static_cast<std::size_t>(i)]);
  const Matrix permuted = attention(c);
  double largest = 0;
  for (Index i = 0; i < N; ++i)
    largest = std::max(largest, (permuted.row(i) - plain.row(permutation[static_cast<std::size_t>(i)])).cwiseAbs().maxCoeff());
  return largest;
}

}  // namespace posenc::analyses
