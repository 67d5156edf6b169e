#include "analyses/decay_plan.hpp"

#include "math/parallel.hpp"
#include "math/random.hpp"
#include "math/turn.hpp"
#include "model/views/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posenc::analyses {
namespace {

using namespace model;
constexpr double tie = 1e-14;  // smaller differences are rounding and decide nothing
constexpr double none = std::numeric_limits<double>::quiet_NaN();

/// Lags 0 .. half - 1 are near, the others far; exact over all pairs.
double share_of_all(std::vector<double> score) {
  const std::size_t half = score.size() / 2;
  if (half == 0) return none;
  const auto middle = score.begin() + static_cast<std::ptrdiff_t>(half);
  std::sort(score.begin(), middle);
  std::sort(middle, score.end());
  double inverted = 0;  // below 2^53 for any length in memory
  auto near = score.begin();
  for (auto far = middle; far != score.end(); ++far) {
    while (near != middle && *near < *far - tie) ++near;
    inverted += static_cast<double>(near - score.begin());
  }
  return inverted / (static_cast<double>(half) * static_cast<double>(score.size() - half));
}

/// Phase of von Mises's law with mean 0 and concentration 1, from u in (0, 1): the series of its distribution function,
/// F(x) = (x + pi + 2 sum_p (I_p/I_0)(1) sin(p x)/p) / 2 pi, inverted by Newton steps kept inside a bracket.
double von_mises(double u) {
  static const std::array<double, 9> bessel = [] {
    std::array<double, 9> out{};
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = std::cyl_bessel_i(static_cast<double>(p), 1.0);
    return out;
  }();
  double low = -std::numbers::pi, high = std::numbers::pi, x = (2 * u - 1) * std::numbers::pi;
  for (int step = 0; step < 60; ++step) {
    double f = x + std::numbers::pi, slope = 1;
    const double c1 = std::cos(x), s1 = std::sin(x);
    double c = c1, s = s1;  // of p x
    for (std::size_t p = 1; p < bessel.size(); ++p) {
      const double r = 2 * bessel[p] / bessel[0];
      f += r * s / static_cast<double>(p), slope += r * c;
      const double next = c * c1 - s * s1;
      s = s * c1 + c * s1, c = next;
    }
    const double off = f - 2 * std::numbers::pi * u;
    (off > 0 ? high : low) = x;
    const double next = x - off / slope;
    const double kept = next > low && next < high ? next : (low + high) / 2;
    if (std::abs(kept - x) < 1e-13) return kept;
    x = kept;
  }
  return x;
}

struct Drawn {
  const Spectrum& spectrum;
  std::vector<double> size, phase;

  double score(Pos lag) const {
    double sum = 0;
    for (std::size_t j = 0; j < size.size(); ++j) {
      const double w = spectrum.log_damping.empty() ? 1 : std::exp(spectrum.log_damping[j] * static_cast<double>(lag));
      const double a = spectrum.amplitude[j] * spectrum.amplitude[j] * w * size[j];
      sum += a * std::cos(2 * std::numbers::pi * math::signed_turns(math::times(lag, spectrum.turn[j])) + phase[j]);
    }
    return sum;
  }
};

double share_of_drawn(const Spectrum& spectrum, const DecayPlan& p) {
  const Pos half = p.positions.count / 2;
  if (half == 0) return none;
  const auto pairs = static_cast<std::size_t>(spectrum.pairs());
  const math::Stream sizes(static_cast<std::uint64_t>(p.sample_seed), "inversion-size");
  const math::Stream phases(static_cast<std::uint64_t>(p.sample_seed), "inversion-phase");
  const math::Stream lags(static_cast<std::uint64_t>(p.sample_seed), "inversion-lag");
  std::vector<char> inverted(static_cast<std::size_t>(p.samples));
  math::parallel_for(p.samples, [&](std::int64_t draw) {
    Drawn d{spectrum, std::vector<double>(pairs), std::vector<double>(pairs)};
    const auto first = static_cast<std::uint64_t>(draw) * pairs;
    math::normal(sizes, first, d.size);
    math::uniform(phases, first, d.phase);
    for (std::size_t j = 0; j < pairs; ++j) d.size[j] = std::abs(d.size[j]), d.phase[j] = von_mises(d.phase[j]);
    std::array<double, 2> u;
    math::uniform(lags, static_cast<std::uint64_t>(2 * draw), u);
    const Pos near = std::min(half - 1, static_cast<Pos>(u[0] * static_cast<double>(half)));
    const Pos rest = p.positions.count - half;
    const Pos far = half + std::min(rest - 1, static_cast<Pos>(u[1] * static_cast<double>(rest)));
    inverted[static_cast<std::size_t>(draw)] = d.score(far) > d.score(near);
  });
  return static_cast<double>(std::count(inverted.begin(), inverted.end(), 1)) / static_cast<double>(p.samples);
}

}  // namespace

void write_decay_inversion(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (p.no_drawn.empty()) h.value("inversion_probability_drawn", share_of_drawn(*spectrum(p.encoding, h.head), p));
  if (!p.no_inversion.empty()) return;
  std::vector<double> score(static_cast<std::size_t>(p.positions.count));
  h.blocks([&](Pos first, Pos count) { h.statistics.score(first, {score.data() + first, static_cast<std::size_t>(count)}); });
  h.value("inversion_probability", share_of_all(std::move(score)));
}

}  // namespace posenc::analyses
