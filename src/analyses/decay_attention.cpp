#include "analyses/decay_plan.hpp"

#include "math/compensated_sum.hpp"
#include "math/parallel.hpp"

#include <cmath>
#include <limits>

namespace posenc::analyses {

using namespace model;

namespace {

/// exp(logit - top) in place, 0 for masked keys.
void weights(std::span<double> logits, double top) {
  math::parallel_blocks(static_cast<Pos>(logits.size()), 4096, [&](Pos first, Pos count) {
    for (double& x : logits.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count))) x = std::exp(x - top);
  });
}

}  // namespace

void write_decay_attention(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (!p.no_attention.empty()) return;
  const auto statistics = lag_statistics(p.encoding, h.head, p.positions);
  std::vector<double> logit, weight;
  const auto each_block = [&](const auto& body) {
    h.blocks([&](Pos first, Pos count) {
      logit.resize(static_cast<std::size_t>(count));
      statistics->aligned(first, logit);
      body(first);
    });
  };
  double top = -std::numeric_limits<double>::infinity();
  each_block([&](Pos) {
    for (const double x : logit) top = std::max(top, x);
  });
  math::CompensatedSum total, energy;  // of the weights, and of weight times (logit - top)
  each_block([&](Pos) {
    weight = logit;
    weights(weight, top);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      total.add(weight[i]);
      if (weight[i] > 0) energy.add(weight[i] * (logit[i] - top));
    }
  });
  std::vector<double> window(p.mass.size(), std::numeric_limits<double>::quiet_NaN());
  math::CompensatedSum held;
  std::size_t next = 0;
  each_block([&](Pos first) {
    weights(logit, top);
    for (std::size_t i = 0; i < logit.size(); ++i) {
      held.add(logit[i]);
      logit[i] /= total.value();
      // A share that misses the mass by rounding alone counts as reaching it.
      while (next < window.size() && held.value() >= (p.mass[next] - 1e-14) * total.value())
        window[next++] = static_cast<double>(first + static_cast<Pos>(i) + 1);
    }
    h.curve("attention", first, logit);
  });
  h.row("window", window);
  h.value("entropy", std::log(total.value()) - energy.value() / total.value());
}

}  // namespace posenc::analyses
