#pragma once
// analyses: which measures of extrapolation apply to an encoding, and why others do not.
#include "analyses/extrapolation_setting.hpp"

namespace posenc::analyses {

/// A reason in words for each group of measures, empty where it applies.
struct ExtrapolationReasons {
  std::string fit;     // undetermined_variance, _in
  std::string beyond;  // _mean, _max, fit_blowup
  std::string phases;  // unseen_pairs, unseen_phase
  std::string unseen_fraction;
  std::string attention;  // leak, entropy_drift, window_ratio, total_variation_distance
  std::string resolution;
  std::string distinct;
  std::string tables;  // reconstruction_error
  explicit ExtrapolationReasons(const ExtrapolationSetting& setting);
};

}  // namespace posenc::analyses
