#pragma once
// analyses: what training on [0, L) determines about one head's score at every lag, as a ridge fit of its features.
#include "analyses/extrapolation_setting.hpp"
#include "math/ridge.hpp"
#include "model/views/features.hpp"

#include <optional>
#include <unordered_map>

namespace posenc::analyses {

/// Training pairs are all lags of the last query; where features depend on the query, those of m = L/4, L/2, 3L/4 and L - 1
/// together. Features are scaled so that the mean of |phi|^2 over them is 1. Masked pairs are left out.
class ScoreFit {
 public:
  ScoreFit(const ExtrapolationSetting& setting, const Features& trained, double noise_variance);

  /// undetermined[i] = phi^T (I + Phi^T Phi / s2)^-1 phi / |phi|^2 and gain[i] = |phi^T (Phi^T Phi + s2 I)^-1 Phi^T| at the
  /// pairs, NaN where masked. Parallel.
  void evaluate(const Encoding& e, const Features& phi, const Pairs& pairs, double* undetermined, double* gain) const;

  /// As trained: at lags 0..L-1 of query L - 1; means over all training pairs.
  const std::vector<double>& within() const { return within_; }
  double mean_within() const { return mean_within_; }
  double gain_rms_within() const { return gain_within_; }

 private:
  void fit_dense(const DenseFeatures& phi);
  void fit_classes(const ClassFeatures& phi);
  void measure_training(const Features& phi);

  const ExtrapolationSetting& setting_;
  double noise_;
  std::vector<Pos> queries_;
  std::int64_t observed_ = 0;
  std::optional<math::Ridge> ridge_;
  std::unordered_map<Pos, std::int64_t> met_;  // how often training met a class
  std::vector<double> within_;
  double mean_within_ = 0, gain_within_ = 0;
};

/// Whether features of the two may stand for the same coefficients.
bool same_space(const Features& trained, const Features& used);

}  // namespace posenc::analyses
