#include "analyses/decay_plan.hpp"

#include "math/compensated_sum.hpp"

#include <cmath>
#include <limits>
#include <numbers>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr int last_octave = 52;
constexpr Pos far = Pos{1} << last_octave;
constexpr Pos summed = Pos{1} << 22;  // lags below it are added one by one
constexpr int steps = 64;             // nodes an octave beyond them

/// Sum of e^b over all lags of a bias given at any lag, and the lags where it reaches a share of it.
class BiasSeries {
 public:
  explicit BiasSeries(const LagStatistics& bias) : bias_(bias) {
    // Cauchy condensation on the upper envelope: the series converges if 2^k e^(max b in octave k) falls as a power of 2^k.
    const double fall = (envelope(30) - envelope(51)) / (21 * std::numbers::ln2);
    converges_ = fall > 1 + 1e-9;
    if (!converges_) return;
    sum_head();
    sum_tail();
  }

  bool converges() const { return converges_; }
  double total() const { return converges_ ? head_.value() + tail_.back().below : std::numeric_limits<double>::infinity(); }

  /// Smallest j with the sum over lags below j at least `share` of the total, 1e-14 of it ignored.
  double reach(double share) const {
    if (!converges_) return std::numeric_limits<double>::quiet_NaN();
    const double wanted = (share - 1e-14) * total();
    if (wanted <= head_.value()) return reach_in_head(wanted);
    const double rest = wanted - head_.value();
    std::size_t i = 1;
    while (i + 1 < tail_.size() && tail_[i].below < rest) ++i;
    // Within a segment e^b = c s^p: the integral from its start to j is inverted.
    const Node& a = tail_[i - 1];
    const double part = (rest - a.below) * (a.power + 1) / (a.lag * std::exp(a.bias));
    return std::ceil(a.lag * std::exp(std::log1p(part) / (a.power + 1)));
  }

 private:
  struct Node {
    double lag, bias, power;  // b = bias + power ln(s / lag) up to the next node
    double below;             // sum over lags from `summed` to here
  };

  double at(Pos lag) const {
    double b = 0;
    bias_.score(lag, {&b, 1});
    return b;
  }
  double envelope(int octave) const {
    double top = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < steps; ++i) top = std::max(top, at((Pos{1} << octave) + i * (Pos{1} << octave) / steps));
    return top;
  }

  template <class Body>
  void each_head_lag(const Body& body) const {
    std::vector<double> b(static_cast<std::size_t>(DecayHead::block));
    for (Pos first = 0; first < summed; first += DecayHead::block) {
      bias_.score(first, b);
      for (std::size_t i = 0; i < b.size(); ++i)
        if (!body(first + static_cast<Pos>(i), std::exp(b[i]))) return;
    }
  }
  void sum_head() {
    each_head_lag([&](Pos, double term) {
      head_.add(term);
      return true;
    });
  }
  double reach_in_head(double wanted) const {
    math::CompensatedSum below;
    double j = 0;
    each_head_lag([&](Pos lag, double term) {
      below.add(term);
      j = static_cast<double>(lag + 1);
      return below.value() < wanted;
    });
    return j;
  }

  /// Euler-Maclaurin: sum over s >= S of f(s) = integral + f(S)/2 - f'(S)/12; the integral by segments of power law.
  void sum_tail() {
    math::CompensatedSum below;
    Pos lag = summed;
    double b = at(lag);
    tail_.push_back({static_cast<double>(lag), b, 0, 0});
    for (int i = 1; lag < far / 2; ++i) {
      const auto next = static_cast<Pos>(std::llround(std::exp2(22 + static_cast<double>(i) / steps)));
      const double next_b = at(next), ratio = std::log(static_cast<double>(next) / static_cast<double>(lag));
      Node& a = tail_.back();
      a.power = (next_b - b) / ratio;
      const double p = a.power + 1, start = a.lag * std::exp(b);
      if (start > 0) below.add(start * (std::abs(p * ratio) < 1e-12 ? ratio : std::expm1(p * ratio) / p));
      if (i == 1) below.add(std::exp(b) * (0.5 - a.power / (12 * a.lag)));
      tail_.push_back({static_cast<double>(next), next_b, a.power, below.value()});
      lag = next, b = next_b;
    }
    // The last power law holds for ever.
    const Node last = tail_.back();
    if (const double start = last.lag * std::exp(last.bias); start > 0) below.add(start / -(last.power + 1));
    tail_.push_back({std::numeric_limits<double>::infinity(), 0, last.power, below.value()});
  }

  const LagStatistics& bias_;
  bool converges_ = false;
  math::CompensatedSum head_;
  std::vector<Node> tail_;
};

}  // namespace

void write_decay_receptive_field(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (!p.no_receptive_field.empty()) return;
  const auto bias = lag_statistics(p.encoding, h.head, {0, far + 1});
  const BiasSeries series(*bias);
  std::array<double, DecayPlan::eps.size()> trf;
  for (std::size_t i = 0; i < trf.size(); ++i) trf[i] = series.reach(1 - p.eps[i]);
  h.row("trf", trf);
  h.value("bias_sum", series.total());
  h.value("converges", series.converges());
}

}  // namespace posenc::analyses
