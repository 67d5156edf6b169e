#include "model/views/lag_statistics.hpp"

#include "math/parallel.hpp"
#include "model/views/lag_forms.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace posenc::model {
namespace {

constexpr Pos block = 2048;

/// Biases alone, or no term at all.
class BiasLags : public LagStatistics, LagPairs {
 public:
  using LagPairs::LagPairs;

  void score(Pos first, std::span<double> out) const override {
    std::fill(out.begin(), out.end(), 0.0);
    add_bias(first, out);
  }
  void aligned(Pos first, std::span<double> out) const override {
    score(first, out);
    mask(first, out);
  }
  void moments(Pos first, LogitMoments& out) const override {
    const double content = scale() * scale() * head_dim();
    std::fill(out.slope.begin(), out.slope.end(), scale() * head_dim());
    score(first, out.offset);
    std::fill(out.v0.begin(), out.v0.end(), content);
    std::fill(out.v1.begin(), out.v1.end(), 0.0);
    std::fill(out.v2.begin(), out.v2.end(), content);
  }
  void terms(Pos first, TermMoments& out) const override { add_common(first, out); }
};

std::string missing_row(const AbsoluteTable& t, Positions p) {
  const auto count = t.rows->count();
  if (!count) return {};
  const auto missing = [&](Pos position) { return t.row(position) < 0 || t.row(position) >= *count; };
  const auto words = [&](Pos position) { return fmt::format("the table has {} rows: position {} has none", *count, position); };
  if (!t.row_of) return missing(p.last()) ? words(std::max(p.first, *count - t.first_row)) : std::string();
  for (Pos i = p.first; i <= p.last(); ++i)
    if (missing(i)) return words(i);
  return {};
}

std::string missing_vector(const Encoding& e, const RelativeVectors& r, Positions p) {
  for (const auto* side : {&r.at_query, &r.at_key}) {
    if (!*side) continue;
    const auto count = (*side)->rows->count();
    if (!count) continue;
    for (const auto& [m, n] : {std::array{p.last(), p.first}, std::array{p.last(), p.last()}, std::array{p.first, p.last()}}) {
      if (e.causal && n > m) continue;
      const auto [a, b] = e.pair_map ? e.pair_map(m, n) : std::array{m, n};
      const Pos row = (*side)->index(a, b);
      if (row < 0 || row >= *count) return fmt::format("the relative vectors have {} rows: lag {} has none", *count, m - n);
    }
  }
  return {};
}

}  // namespace

double LogitMoments::deviation(std::size_t i, double rho) const {
  return std::sqrt(std::max(0.0, v0[i] + rho * v1[i] + rho * rho * v2[i]));
}

LagPairs::LagPairs(const Encoding& e, Index head, Positions positions, Keys keys)
    : encoding_(e), head_(head), positions_(positions), keys_(keys), by_lag_(traits(e).by_lag) {}

std::array<Pos, 2> LagPairs::pair(Pos lag) const {
  const Pos m = positions_.last();
  if (keys_ == Keys::before) return {m, m - lag};
  return by_lag_ ? std::array{m, m + lag} : std::array{positions_.first, positions_.first + lag};
}

std::array<Pos, 2> LagPairs::mapped(Pos lag) const {
  const auto [m, n] = pair(lag);
  return encoding_.pair_map ? encoding_.pair_map(m, n) : std::array{m, n};
}

void LagStatistics::spread(Pos, std::span<double> out) const { std::fill(out.begin(), out.end(), 0.0); }

double LagPairs::query_scale() const { return encoding_.query_scale ? encoding_.query_scale(positions_.last()) : 1.0; }

void LagPairs::add_bias(Pos first, std::span<double> out) const {
  for (const Term& term : encoding_.terms)
    if (const auto* b = std::get_if<Bias>(&term)) {
      const Index head = std::min(head_, b->heads - 1);
      math::parallel_blocks(static_cast<Pos>(out.size()), block, [&](Pos at, Pos count) {
        for (Pos i = at; i < at + count; ++i) {
          const auto [m, n] = mapped(first + i);
          out[static_cast<std::size_t>(i)] += b->value(head, m, n);
        }
      });
    }
}

void LagPairs::add_common(Pos first, TermMoments& out) const {
  constexpr std::size_t cc = 0, pp = 3;
  std::vector<double> bias(out.square[cc].size());
  add_bias(first, bias);
  for (std::size_t i = 0; i < bias.size(); ++i) {
    out.square[cc][i] = content(first + static_cast<Pos>(i), head_dim());
    double &mean = out.mean[pp][i], &square = out.square[pp][i];
    square += 2 * bias[i] * mean + bias[i] * bias[i];
    mean += bias[i];
  }
}

void LagPairs::mask(Pos first, std::span<double> out) const {
  if (!encoding_.visible) return;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto [m, n] = pair(first + static_cast<Pos>(i));
    if (!encoding_.visible(m, n)) out[i] = -std::numeric_limits<double>::infinity();
  }
}

bool has_content_free_score(const Encoding& e) {
  const Traits t = traits(e);
  if (t.kind != Kind::relative || t.has_bias) return true;
  const auto* r = form<RelativeVectors>(e);
  return r->v && r->at_query;
}

std::string no_lag_statistics(const Encoding& e, Positions positions) {
  const Traits t = traits(e);
  if (t.kind == Kind::contextual) return "the score depends on content: " + t.contextual_needs;
  if (e.cosine && t.kind != Kind::bias && t.kind != Kind::none) return "queries and keys enter as unit vectors";
  if (t.kind == Kind::table || t.kind == Kind::untied) return missing_row(*form<AbsoluteTable>(e), positions);
  if (t.kind == Kind::relative) return missing_vector(e, *form<RelativeVectors>(e), positions);
  return {};
}

std::unique_ptr<LagStatistics> lag_statistics(const Encoding& e, Index head, Positions positions, Keys keys) {
  if (const std::string reason = no_lag_statistics(e, positions); !reason.empty())
    throw std::logic_error("lag statistics: " + reason);
  switch (traits(e).kind) {
    case Kind::rotary:
      return rotary_lags(e, head, positions, keys);
    case Kind::table:
      return table_lags(e, head, positions, keys);
    case Kind::untied:
      return untied_lags(e, head, positions, keys);
    case Kind::relative:
      return relative_lags(e, head, positions, keys);
    default:
      return std::make_unique<BiasLags>(e, head, positions, keys);
  }
}

}  // namespace posenc::model
