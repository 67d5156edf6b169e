#pragma once
// analyses: how the attention of the aligned model (measures of `decay`) changes from length L to N.
#include <span>
#include <vector>

namespace posenc::analyses {

/// Probabilities of the lags; a logit of -inf is a masked key.
struct Attention {
  explicit Attention(std::span<const double> logits);
  std::vector<double> mass;
  double entropy() const;
  /// Smallest n with the mass of lags 0 .. n-1 at least `share`, within 1e-14.
  double window(double share) const;
};

struct AttentionDrift {
  double leak;             // mass at lags >= L of the attention over N
  double entropy_drift;    // (H_N - H_L) / ln(factor): 0 for a window without scale, 1 for uniform dilution
  double window_ratio;     // of the windows of mass 0.99
  double total_variation;  // of the two, that of L zero beyond
};
AttentionDrift attention_drift(const Attention& trained, const Attention& used, double factor);

/// Mass of the lags whose bias is outside [low, high].
double mass_outside(const Attention& used, std::span<const double> bias, double low, double high);

}  // namespace posenc::analyses
