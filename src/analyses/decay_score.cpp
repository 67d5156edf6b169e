#include "analyses/decay_plan.hpp"

#include "math/compensated_sum.hpp"

#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

using namespace model;
constexpr double tie = 1e-14;  // smaller differences are rounding and decide nothing
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Scalars of a curve that comes lag by lag.
class Shape {
 public:
  explicit Shape(Pos lags) : mean_log_(std::lgamma(static_cast<double>(lags)) / static_cast<double>(lags - 1)) {}

  void add(Pos lag, double score) {
    if (lag > 0) {
      const double step = score - before_;
      if (step > tie && std::isnan(first_increase)) first_increase = static_cast<double>(lag);
      variation_.add(std::abs(step));
      upward_.add(std::max(step, 0.0));
      if (lag == 1) at_one_ = score;
      const double x = std::log(static_cast<double>(lag)) - mean_log_;
      xx_.add(x * x), xy_.add(x * (score - at_one_));
    }
    if (score < -tie && std::isnan(first_negative)) first_negative = static_cast<double>(lag);
    before_ = score;
  }
  double log_slope() const { return xx_.value() > 0 ? xy_.value() / xx_.value() : none; }
  double total_variation() const { return variation_.value(); }
  double upward_variation() const { return upward_.value(); }

  double first_increase = none, first_negative = none;

 private:
  double mean_log_;  // of ln s, s = 1 .. lags - 1
  double before_ = 0, at_one_ = 0;
  math::CompensatedSum variation_, upward_, xx_, xy_;
};

}  // namespace

void write_decay_score(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  Shape shape(p.positions.count);
  std::vector<double> values;
  const auto write = [&](const LagStatistics& statistics, const char* score, const char* spread, bool with_shape) {
    h.blocks([&](Pos first, Pos count) {
      values.resize(static_cast<std::size_t>(count));
      statistics.score(first, values);
      h.curve(score, first, values);
      if (with_shape)
        for (std::size_t i = 0; i < values.size(); ++i) shape.add(first + static_cast<Pos>(i), values[i]);
      if (!spread) return;
      statistics.spread(first, values);
      h.curve(spread, first, values);
    });
  };
  write(h.statistics, "score", p.no_spread.empty() ? "score_spread" : nullptr, true);
  if (p.no_future.empty())
    write(*lag_statistics(p.encoding, h.head, p.positions, Keys::after), "score_future",
          p.no_spread_future.empty() ? "score_spread_future" : nullptr, false);
  h.value("first_increase", shape.first_increase);
  h.value("first_negative", shape.first_negative);
  h.value("log_slope", shape.log_slope());
  h.value("total_variation", shape.total_variation());
  h.value("upward_variation", shape.upward_variation());
}

}  // namespace posenc::analyses
