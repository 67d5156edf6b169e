#include "analyses/extrapolation_attention.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::analyses {

Attention::Attention(std::span<const double> logits) : mass(logits.begin(), logits.end()) {
  const double top = *std::max_element(mass.begin(), mass.end());
  double sum = 0;
  for (double& x : mass) sum += x = std::exp(x - top);
  for (double& x : mass) x /= sum;
}

double Attention::entropy() const {
  double h = 0;
  for (const double p : mass)
    if (p > 0) h -= p * std::log(p);
  return h;
}

double Attention::window(double share) const {
  double sum = 0;
  std::size_t n = 0;
  while (n < mass.size() && sum < share - 1e-14) sum += mass[n++];
  return static_cast<double>(n);
}

AttentionDrift attention_drift(const Attention& trained, const Attention& used, double factor) {
  AttentionDrift d{0, (used.entropy() - trained.entropy()) / std::log(factor), used.window(0.99) / trained.window(0.99), 0};
  for (std::size_t s = 0; s < used.mass.size(); ++s) {
    const bool beyond = s >= trained.mass.size();
    if (beyond) d.leak += used.mass[s];
    d.total_variation += std::abs(used.mass[s] - (beyond ? 0 : trained.mass[s])) / 2;
  }
  return d;
}

double mass_outside(const Attention& used, std::span<const double> bias, double low, double high) {
  double sum = 0;
  for (std::size_t s = 0; s < bias.size(); ++s)
    if (bias[s] < low - 1e-14 || bias[s] > high + 1e-14) sum += used.mass[s];
  return sum;
}

}  // namespace posenc::analyses
