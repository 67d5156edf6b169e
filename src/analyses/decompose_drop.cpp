#include "analyses/decompose_plan.hpp"
#include "math/parallel.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr Index key_block = 4096, row_block = 128;

/// exp(x - max) / sum; -inf stays 0.
void softmax(std::span<double> x) {
  const double top = *std::max_element(x.begin(), x.end());
  double sum = 0;
  for (double& v : x) sum += v = std::exp(v - top);
  for (double& v : x) v /= sum;
}

/// The terms' logits of some query rows and all keys: [term][row * keys + key].
using Logits = std::vector<std::vector<double>>;

void store(const DecomposePlan& p, const Terms& t, std::span<const Pos> queries, Pos first_key, Logits& out) {
  const auto all = t.all();
  for (std::size_t i = 0; i < p.terms.size(); ++i)
    for (std::size_t row = 0; row < queries.size(); ++row) {
      const double scale = logit_scale(p.encoding, queries[row]);
      for (Index j = 0; j < all[p.terms[i]]->cols(); ++j)
        out[i][row * static_cast<std::size_t>(p.positions.count) + static_cast<std::size_t>(first_key + j)] =
            scale * (*all[p.terms[i]])(static_cast<Index>(row), j);
    }
}

Logits logits_of(const DecomposePlan& p, Index head, const HeadContent& content, std::span<const Pos> queries) {
  const auto N = static_cast<std::size_t>(p.positions.count);
  Logits out(p.terms.size(), std::vector<double>(queries.size() * N));
  const Matrix w_query = content.query(head), w_key = content.key(head);
  Tokens tokens{{queries.begin(), queries.end()}, {}, Matrix(std::ssize(queries), content.width()), {}, w_query, w_key};
  for (std::size_t i = 0; i < queries.size(); ++i)
    tokens.x_query.row(static_cast<Index>(i)) = content.inputs(queries[i] - p.positions.first, 1);
  for (Pos first = 0; first < p.positions.count; first += key_block) {
    const auto count = static_cast<Index>(std::min<Pos>(key_block, p.positions.count - first));
    tokens.key.resize(static_cast<std::size_t>(count));
    std::iota(tokens.key.begin(), tokens.key.end(), p.positions.first + first);
    tokens.x_key = content.inputs(first, count);
    store(p, terms(p.encoding, head, tokens), queries, first, out);
  }
  return out;
}

/// Scores made from content need the whole sequence, which the plan keeps short.
Logits logits_of_sequence(const DecomposePlan& p, Index head, const HeadContent& content, std::span<const Pos> queries) {
  const auto N = static_cast<std::size_t>(p.positions.count);
  Logits out(p.terms.size(), std::vector<double>(queries.size() * N));
  Terms t = terms(p.encoding, head, content.sequence(head, 0, static_cast<Index>(N)), p.positions.first);
  for (Matrix* m : {&t.cc, &t.cp, &t.pc, &t.pp, &t.rotation, &t.context}) {
    Matrix some(std::ssize(queries), m->cols());
    for (std::size_t i = 0; i < queries.size(); ++i) some.row(static_cast<Index>(i)) = m->row(queries[i] - p.positions.first);
    *m = some;
  }
  store(p, t, queries, 0, out);
  return out;
}

/// Total variation of each row's attention without each term, [row][term].
void effects(const DecomposePlan& p, const Logits& logits, std::span<const Pos> queries, double* out) {
  const auto N = static_cast<std::size_t>(p.positions.count);
  std::vector<double> whole(N), without(N);
  for (std::size_t row = 0; row < queries.size(); ++row) {
    const auto fill = [&](std::size_t dropped, std::vector<double>& x) {
      for (std::size_t n = 0; n < N; ++n) {
        x[n] = 0;
        for (std::size_t i = 0; i < logits.size(); ++i)
          if (i != dropped) x[n] += logits[i][row * N + n];
        if (!sees(p.encoding, queries[row], p.positions.first + static_cast<Pos>(n))) x[n] = -std::numeric_limits<double>::infinity();
      }
      softmax(x);
    };
    fill(logits.size(), whole);
    for (std::size_t i = 0; i < logits.size(); ++i) {
      fill(i, without);
      double distance = 0;
      for (std::size_t n = 0; n < N; ++n) distance += std::abs(whole[n] - without[n]) / 2;
      out[row * logits.size() + i] = distance;
    }
  }
}

}  // namespace

void write_drop_effects(const DecomposePlan& p, Sink& sink) {
  const HeadContent content(p.encoding, p.given, p.sample_seed);
  const std::size_t terms = p.terms.size();
  const auto rows = std::ssize(p.query_rows);
  for (Index head = 0; head < p.heads(); ++head) {
    std::vector<double> effect(p.query_rows.size() * terms), mean(terms), largest(terms);
    const auto some = [&](std::int64_t first, std::int64_t count) {
      const std::span<const Pos> queries(p.query_rows.data() + first, static_cast<std::size_t>(count));
      const bool whole = p.traits.kind == Kind::contextual;
      effects(p, whole ? logits_of_sequence(p, head, content, queries) : logits_of(p, head, content, queries), queries,
              effect.data() + static_cast<std::size_t>(first) * terms);
    };
    if (p.traits.kind == Kind::contextual)
      some(0, rows);
    else
      math::parallel_blocks(rows, row_block, some);
    for (std::size_t i = 0; i < effect.size(); ++i) {
      mean[i % terms] += effect[i] / static_cast<double>(rows);
      largest[i % terms] = std::max(largest[i % terms], effect[i]);
    }
    const auto at = static_cast<std::uint64_t>(head) * terms;
    sink.write_elements("drop_effect_mean", at, mean);
    sink.write_elements("drop_effect_max", at, largest);
  }
}

}  // namespace posenc::analyses
