#include "analyses/decay_plan.hpp"

#include "math/compensated_sum.hpp"

#include <algorithm>
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

  /// For each share, smallest j with the sum over lags below j at least that share of the total, 1e-14 of it ignored. Shares
  /// increase.
  std::vector<double> reach(std::span<const double> shares) const {
    std::vector<double> out(shares.size(), std::numeric_limits<double>::quiet_NaN());
    if (!converges_) return out;
    const auto wanted = [&](std::size_t i) { return (shares[i] - 1e-14) * total(); };
    std::size_t next = 0;
    math::CompensatedSum below;
    each_head_block([&](Pos first, std::span<const double> term) {
      for (std::size_t i = 0; i < term.size() && next < out.size(); ++i) {
        below.add(term[i]);
        while (next < out.size() && below.value() >= wanted(next))
          out[next++] = static_cast<double>(first + static_cast<Pos>(i) + 1);
      }
      return next < out.size();
    });
    for (; next < out.size(); ++next) out[next] = reach_in_tail(wanted(next) - head_.value());
    return out;
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

  /// body(first, e^bias of a block) until it returns false.
  template <class Body>
  void each_head_block(const Body& body) const {
    std::vector<double> term(static_cast<std::size_t>(DecayPlan::block));
    for (Pos first = 0; first < summed; first += DecayPlan::block) {
      bias_.score(first, term);
      for (double& b : term) b = std::exp(b);
      if (!body(first, term)) return;
    }
  }
  /// Stops where 2^52 times the largest term of a block is below 2^-60 of the sum.
  void sum_head() {
    each_head_block([&](Pos, std::span<const double> term) {
      for (const double t : term) head_.add(t);
      ended_ = *std::max_element(term.begin(), term.end()) * 0x1p112 < head_.value();
      return !ended_;
    });
  }
  double reach_in_tail(double rest) const {
    std::size_t i = 1;
    while (i + 1 < tail_.size() && tail_[i].below < rest) ++i;
    // Within a segment e^b = c s^p: the integral from its start to j is inverted.
    const Node& a = tail_[i - 1];
    const double part = (rest - a.below) * (a.power + 1) / (a.lag * std::exp(a.bias));
    return std::ceil(a.lag * std::exp(std::log1p(part) / (a.power + 1)));
  }

  /// Euler-Maclaurin: sum over s >= S of f(s) = integral + f(S)/2 - f'(S)/12; the integral by segments of power law.
  void sum_tail() {
    math::CompensatedSum below;
    Pos lag = summed;
    double b = at(lag);
    tail_.push_back({static_cast<double>(lag), b, 0, 0});
    if (ended_) return;
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
  bool converges_ = false, ended_ = false;
  math::CompensatedSum head_;
  std::vector<Node> tail_;
};

}  // namespace

void write_decay_receptive_field(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (!p.no_receptive_field.empty()) return;
  const auto bias = lag_statistics(p.encoding, h.head, {0, far + 1});
  const BiasSeries series(*bias);
  std::array<double, DecayPlan::eps.size()> share;
  for (std::size_t i = 0; i < share.size(); ++i) share[i] = 1 - p.eps[i];
  h.row("trf", series.reach(share));
  h.value("bias_sum", series.total());
  h.value("converges", series.converges());
}

}  // namespace posenc::analyses
