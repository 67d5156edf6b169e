#include "analyses/decay_plan.hpp"

#include "math/partial_sums.hpp"
#include "model/views/spectrum.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

/// The turns of all pairs by decreasing frequency, those that do not turn last.
std::vector<math::Turn> ordered_turns(const Spectrum& s) {
  std::vector<std::size_t> order(s.turn.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return std::abs(s.theta[a]) > std::abs(s.theta[b]); });
  std::vector<math::Turn> out;
  for (const std::size_t j : order) out.push_back(s.turn[j]);
  return out;
}

}  // namespace

void write_decay_bound(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (!p.no_bound.empty()) return;
  const std::vector<math::Turn> turns = ordered_turns(*spectrum(p.encoding, h.head));
  std::vector<double> bound, table;
  h.blocks([&](Pos first, Pos count) {
    bound.resize(static_cast<std::size_t>(count));
    if (!p.encoding.pair_map) {
      math::mean_abs_partial_sum(turns, first, bound);
    } else {
      // Mapped lags lie close together: computed over their interval, else one by one. |S_j| is even in the lag.
      std::vector<Pos> lags(bound.size());
      for (std::size_t i = 0; i < lags.size(); ++i)
        lags[i] = std::abs(*lag_of(p.encoding, p.positions.last(), p.positions.last() - first - static_cast<Pos>(i)));
      const auto [low, high] = std::minmax_element(lags.begin(), lags.end());
      const bool together = *high - *low < 2 * DecayPlan::block;
      table.resize(together ? static_cast<std::size_t>(*high - *low + 1) : 0);
      math::mean_abs_partial_sum(turns, *low, table);
      for (std::size_t i = 0; i < lags.size(); ++i)
        if (together)
          bound[i] = table[static_cast<std::size_t>(lags[i] - *low)];
        else
          math::mean_abs_partial_sum(turns, lags[i], {&bound[i], 1});
    }
    h.curve("upper_bound", first, bound);
    for (double& u : bound) u /= 2;
    h.curve("upper_bound_pi", first, bound);
  });
}

}  // namespace posenc::analyses
