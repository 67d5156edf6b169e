#pragma once
// analyses: decay's plan for one subject: what applies, and the schema that follows.
#include "model/analysis.hpp"
#include "model/views/lag_statistics.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <array>

namespace posenc::analyses {

struct DecayPlan {
  static constexpr std::array<double, 3> rho{0, 0.5, 1};
  static constexpr std::array<double, 5> quantile{0.05, 0.25, 0.5, 0.75, 0.95};
  static constexpr std::array<double, 3> mass{0.5, 0.9, 0.99};
  static constexpr std::array<double, 3> eps{0.5, 0.1, 0.01};

  model::Encoding encoding;
  model::Traits traits;
  model::Positions positions;
  model::Pos samples = 0;
  std::int64_t sample_seed = 0;
  std::vector<model::Pos> sample_lags;
  /// Why a group of variables does not apply, in words; empty where it does.
  std::string no_score, no_spread, no_future, no_spread_future, no_bound, no_logits, no_attention, no_receptive_field, no_inversion,
      no_drawn;

  model::Index heads() const { return traits.has_heads ? traits.heads : 1; }
  std::uint64_t lags() const { return static_cast<std::uint64_t>(positions.count); }

  /// Lags are treated in blocks of this size whatever the length, so that memory does not grow with it.
  static constexpr model::Pos block = 65536;
  /// Lags that are sorted at most: 512 MB.
  static constexpr model::Pos most_sorted = model::Pos{1} << 26;
  template <class Body>
  void blocks(const Body& body) const {
    for (model::Pos first = 0; first < positions.count; first += block) body(first, std::min(block, positions.count - first));
  }
};

DecayPlan decay_plan(const model::Subject& subject, model::Pos samples);
Schema decay_schema(const DecayPlan& plan);

/// 0..255, then round(2^(8 + j/32)), below `length`.
std::vector<model::Pos> sample_lags(model::Pos length);

/// What one head of a plan writes and where.
struct DecayHead {
  const DecayPlan& plan;
  model::Index head;
  const model::LagStatistics& statistics;  // keys before the query
  Sink& sink;

  /// body(first, count) for every block of lags.
  template <class Body>
  void blocks(const Body& body) const {
    plan.blocks(body);
  }
  /// Part of a variable (lag) or (head, lag), or of row `row` of `rows` of a variable ([head,] row, lag).
  void curve(std::string_view variable, model::Pos first, std::span<const double> values, std::uint64_t row = 0,
             std::uint64_t rows = 1) const {
    const std::uint64_t line = static_cast<std::uint64_t>(head) * rows + row;
    sink.write_elements(variable, line * plan.lags() + static_cast<std::uint64_t>(first), values);
  }
  /// A variable () or (head), or the head's whole row of one with further dimensions.
  void value(std::string_view variable, double x) const { sink.write(variable, static_cast<std::uint64_t>(head), {&x, 1}); }
  void row(std::string_view variable, std::span<const double> values) const {
    const std::uint64_t first = plan.traits.has_heads ? static_cast<std::uint64_t>(head) : 0;
    sink.write(variable, first, values);
  }
};

void write_decay_score(const DecayHead& head);            // score, spread, keys after the query, and the scalars of the curve
void write_decay_bound(const DecayHead& head);            // upper_bound, upper_bound_pi
void write_decay_attention(const DecayHead& head);        // attention, window, entropy
void write_decay_logits(const DecayHead& head);           // logit_mean, logit_std, logit_quantile
void write_decay_receptive_field(const DecayHead& head);  // trf, bias_sum, converges
void write_decay_inversion(const DecayHead& head);        // inversion_probability, inversion_probability_drawn

}  // namespace posenc::analyses
