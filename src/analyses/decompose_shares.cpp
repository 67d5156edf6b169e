#include "analyses/decompose_plan.hpp"
#include "math/parallel.hpp"

#include <cmath>
#include <numeric>
#include <optional>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr Pos block = 65536;  // lags at a time, so that memory does not grow with their number
constexpr Index row_block = 64;

/// Adds the terms of logits [query][key] at every lag 0 .. of the sums to them.
void add_diagonals(const DecomposePlan& p, const Terms& t, Pos first_query, Pos first_key, TermMoments& sums) {
  const auto all = t.all();
  const auto lags = static_cast<Pos>(sums.mean[0].size());
  for (const std::size_t term : p.terms)
    for (Index i = 0; i < all[term]->rows(); ++i) {
      const Pos m = first_query + i;
      const double scale = logit_scale(p.encoding, m);
      for (Index j = 0; j < all[term]->cols(); ++j) {
        const Pos s = m - (first_key + j);
        if (s < 0 || s >= lags) continue;
        const double x = scale * (*all[term])(i, j);
        sums.mean[term][static_cast<std::size_t>(s)] += x, sums.square[term][static_cast<std::size_t>(s)] += x * x;
      }
    }
}

/// Sums of one sequence.
TermMoments of_sequence(const DecomposePlan& p, Index head, Pos sequence) {
  const HeadContent content(p.encoding, p.given, p.sample_seed, sequence);
  const Index N = p.sequence_length;
  const Pos start = p.positions.first;
  TermMoments out(static_cast<std::size_t>(p.lags));
  if (p.traits.kind == Kind::contextual) {
    add_diagonals(p, terms(p.encoding, head, content.sequence(head, 0, N), start), start, start, out);
    return out;
  }
  const Matrix x = content.inputs(0, N), w_query = content.query(head), w_key = content.key(head);
  for (Index row = 0; row < N; row += row_block) {
    const Index rows = std::min(row_block, N - row), first_key = std::max<Index>(0, row + 1 - p.lags);
    Tokens tokens{std::vector<Pos>(static_cast<std::size_t>(rows)), std::vector<Pos>(static_cast<std::size_t>(row + rows - first_key)),
                  x.middleRows(row, rows), x.middleRows(first_key, row + rows - first_key), w_query, w_key};
    std::iota(tokens.query.begin(), tokens.query.end(), start + row);
    std::iota(tokens.key.begin(), tokens.key.end(), start + first_key);
    add_diagonals(p, terms(p.encoding, head, tokens), start + row, start + first_key, out);
  }
  return out;
}

/// Moments of one head from its sequences, in their order.
TermMoments drawn(const DecomposePlan& p, Index head) {
  std::vector<TermMoments> part(static_cast<std::size_t>(p.sequences), TermMoments(0));
  math::parallel_for(p.sequences, [&](std::int64_t i) { part[static_cast<std::size_t>(i)] = of_sequence(p, head, i); });
  TermMoments out(static_cast<std::size_t>(p.lags));
  for (const std::size_t term : p.terms)
    for (std::size_t s = 0; s < out.mean[term].size(); ++s) {
      const auto pairs = static_cast<double>(p.sequences * (p.sequence_length - static_cast<Pos>(s)));
      for (const TermMoments& x : part) out.mean[term][s] += x.mean[term][s], out.square[term][s] += x.square[term][s];
      out.mean[term][s] /= pairs, out.square[term][s] /= pairs;
    }
  return out;
}

/// The moments of one head, a block of lags at a time; the last block is kept.
class HeadMoments {
 public:
  HeadMoments(const DecomposePlan& p, Index head) : plan_(p), head_(head) {
    if (p.no_closed_form.empty()) statistics_ = lag_statistics(p.encoding, head, p.positions);
  }
  const TermMoments& at(Pos first, Pos count) {
    if (first == first_ && kept_) return *kept_;
    if (!statistics_)
      kept_ = drawn(plan_, head_);  // its lags are one block
    else
      statistics_->terms(first, kept_.emplace(static_cast<std::size_t>(count)));
    first_ = first;
    return *kept_;
  }

 private:
  const DecomposePlan& plan_;
  Index head_;
  std::unique_ptr<LagStatistics> statistics_;
  Pos first_ = 0;
  std::optional<TermMoments> kept_;
};

template <class Body>
void each_block(Pos lags, const Body& body) {
  const Pos size = lags;
  for (Pos first = 0; first < size; first += block) body(first, std::min(block, size - first));
}

}  // namespace

void write_shares(const DecomposePlan& p, Sink& sink) {
  std::vector<double> values;
  for (Index head = 0; head < p.heads(); ++head) {
    HeadMoments moments(p, head);
    std::vector<double> total(p.terms.size());
    for (std::size_t i = 0; i < p.terms.size(); ++i) {
      const auto row = (static_cast<std::uint64_t>(head) * p.terms.size() + i) * static_cast<std::uint64_t>(p.lags);
      each_block(p.lags, [&](Pos first, Pos count) {
        const TermMoments& m = moments.at(first, count);
        values.assign(static_cast<std::size_t>(count), 0);
        for (std::size_t s = 0; s < values.size(); ++s) {
          double sum = 0;
          for (const std::size_t term : p.terms) sum += m.square[term][s];
          values[s] = m.square[p.terms[i]][s] / sum;
          total[i] += m.square[p.terms[i]][s];
        }
        sink.write_elements("share", row + static_cast<std::uint64_t>(first), values);
      });
      each_block(p.lags, [&](Pos first, Pos count) {
        const TermMoments& m = moments.at(first, count);
        values.assign(m.mean[p.terms[i]].begin(), m.mean[p.terms[i]].begin() + count);
        sink.write_elements("mean", row + static_cast<std::uint64_t>(first), values);
      });
    }
    const double sum = std::accumulate(total.begin(), total.end(), 0.0);
    for (double& x : total) x /= sum;
    sink.write_elements("share_total", static_cast<std::uint64_t>(head) * total.size(), total);
    const double position = std::accumulate(total.begin() + 1, total.end(), 0.0);
    sink.write("position_share", static_cast<std::uint64_t>(head), {&position, 1});
  }
}

}  // namespace posenc::analyses
