#include "analyses/context_plan.hpp"
#include "math/lag_scan.hpp"
#include "math/partial_sums.hpp"
#include "model/views/score_gap.hpp"

#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr Pos block = Pos{1} << 18;
constexpr Pos negative_horizon = Pos{1} << 24;
constexpr std::array of_lag{"lag", "score_gap", "least_score_gap", "least_score_gap_lag", "first_negative_lag"};
constexpr std::array of_bound{"least_upper_bound", "least_upper_bound_lag"};

std::string why_no_bound(const ContextPlan& p) {
  if (!p.no_lag.empty()) return p.no_lag;
  return p.rotated.log_damping.empty() ? "" : "the rotation is damped";
}

struct Least {
  double value = std::numeric_limits<double>::infinity();
  Pos lag = 0;
  void meet(Pos first, std::span<const double> values) {
    for (std::size_t i = 0; i < values.size(); ++i)
      if (value - values[i] >= math::lag_tie) value = values[i], lag = first + static_cast<Pos>(i);
  }
};

/// Calls body(first, values) for lags 0 .. end - 1 in blocks that `fill` computes.
template <class Fill, class Body>
void each_block(Pos end, const Fill& fill, const Body& body) {
  std::vector<double> values;
  for (Pos first = 0; first < end; first += block) {
    throw_if_stop_requested();
    values.resize(static_cast<std::size_t>(std::min(block, end - first)));
    fill(first, std::span<double>(values));
    body(first, std::span<const double>(values));
  }
}

}  // namespace

void declare_context_curve(const ContextPlan& p, Schema& out) {
  if (!p.no_lag.empty()) {
    for (const char* name : of_lag)
      if (std::string_view(name) != "lag") out.skip(name, p.no_lag);
  } else {
    out.axis({"lag", static_cast<std::uint64_t>(p.lags)}, Type::i64, "position", "query position minus key position");
    out.add({"score_gap",
             Type::f64,
             {"lag"},
             "1",
             "B(m) = sum of cos(m t_j) over the pairs that turn, as used: by how much a key similar to the query scores above a "
             "random one, over 2 sigma^2",
             {}});
    out.add({"least_score_gap", Type::f64, {}, "1", "least score_gap of the lags below the length in use", {}});
    out.add({"least_score_gap_lag", Type::i64, {}, "position", "the first lag that has it", {}});
    out.add({"first_negative_lag", Type::f64, {}, "position", "first lag whose score_gap is negative; NaN: none below 2^24", {}});
  }
  const std::string why = why_no_bound(p);
  if (!why.empty()) {
    for (const char* name : of_bound) out.skip(name, why);
    return;
  }
  out.add({"least_upper_bound",
           Type::f64,
           {},
           "1",
           "least B(s)/d of the lags below the length in use (PI eq. 8, pairs that turn): 1 and more supports the claim that "
           "extrapolation is bounded no better",
           {}});
  out.add({"least_upper_bound_lag", Type::i64, {}, "position", "the first lag that has it", {}});
}

void write_context_curve(const ContextPlan& p, Sink& sink) {
  const auto end = static_cast<Pos>(p.length);
  if (p.no_lag.empty()) {
    Least least;
    std::vector<double> lags;
    each_block(
        std::max(p.lags, end), [&](Pos first, std::span<double> out) { score_gap(p.rotated, first, out); },
        [&](Pos first, std::span<const double> values) {
          if (first < end) least.meet(first, values.first(std::min(values.size(), static_cast<std::size_t>(end - first))));
          if (first >= p.lags) return;
          lags.resize(std::min(values.size(), static_cast<std::size_t>(p.lags - first)));
          std::iota(lags.begin(), lags.end(), static_cast<double>(first));
          sink.write("lag", static_cast<std::uint64_t>(first), lags);
          sink.write("score_gap", static_cast<std::uint64_t>(first), values.first(lags.size()));
        });
    sink.scalar("least_score_gap", least.value);
    sink.scalar("least_score_gap_lag", static_cast<double>(least.lag));
    const auto negative = first_negative_lag(p.rotated, negative_horizon);
    sink.scalar("first_negative_lag", negative ? static_cast<double>(*negative) : std::numeric_limits<double>::quiet_NaN());
  }
  if (!why_no_bound(p).empty()) return;
  Least least;
  each_block(
      end, [&](Pos first, std::span<double> out) { math::mean_abs_partial_sum(p.rotated.turn, first, out); },
      [&](Pos first, std::span<const double> values) { least.meet(first, values); });
  sink.scalar("least_upper_bound", least.value / 2);
  sink.scalar("least_upper_bound_lag", static_cast<double>(least.lag));
}

}  // namespace posenc::analyses
