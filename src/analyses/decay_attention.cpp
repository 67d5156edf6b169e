#include "analyses/decay_plan.hpp"

#include "math/compensated_sum.hpp"
#include "math/parallel.hpp"

#include <algorithm>
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

/// Sums over some lags of e^(logit - top) and of that times (logit - top).
struct Block {
  double top;
  math::CompensatedSum total{}, energy{};
};

Block together(const std::vector<Block>& parts) {
  Block all{-std::numeric_limits<double>::infinity()};
  for (const Block& b : parts) all.top = std::max(all.top, b.top);
  for (const Block& b : parts) {
    const double below = b.top - all.top, factor = std::exp(below);
    all.total.add(factor * b.total.value());
    if (factor > 0) all.energy.add(factor * (b.energy.value() + below * b.total.value()));
  }
  return all;
}

}  // namespace

void write_decay_attention(const DecayHead& h) {
  const DecayPlan& p = h.plan;
  if (!p.no_attention.empty()) return;
  std::vector<double> logit, weight;
  const auto each_block = [&](const auto& body) {
    h.blocks([&](Pos first, Pos count) {
      logit.resize(static_cast<std::size_t>(count));
      h.statistics.aligned(first, logit);
      body(first);
    });
  };
  std::vector<Block> parts;
  each_block([&](Pos) {
    Block block{*std::max_element(logit.begin(), logit.end())};
    if (block.top == -std::numeric_limits<double>::infinity()) return;  // every key masked
    weight = logit;
    weights(weight, block.top);
    for (std::size_t i = 0; i < weight.size(); ++i) {
      block.total.add(weight[i]);
      if (weight[i] > 0) block.energy.add(weight[i] * (logit[i] - block.top));
    }
    parts.push_back(block);
  });
  const Block all = together(parts);
  const double top = all.top, total = all.total.value();
  std::vector<double> window(p.mass.size(), std::numeric_limits<double>::quiet_NaN());
  math::CompensatedSum held;
  std::size_t next = 0;
  each_block([&](Pos first) {
    weights(logit, top);
    for (std::size_t i = 0; i < logit.size(); ++i) {
      held.add(logit[i]);
      logit[i] /= total;
      // A share that misses the mass by rounding alone counts as reaching it.
      while (next < window.size() && held.value() >= (p.mass[next] - 1e-14) * total)
        window[next++] = static_cast<double>(first + static_cast<Pos>(i) + 1);
    }
    h.curve("attention", first, logit);
  });
  h.row("window", window);
  h.value("entropy", std::log(total) - all.energy.value() / total);
}

}  // namespace posenc::analyses
