#pragma once
// analyses: how much attention goes to the wrong place when a head that was fitted inside [0, L) is used at kL. A model of heads,
// not of quality: no weights, no draws.
#include "analyses/extrapolation_setting.hpp"

namespace posenc::analyses {

/// What would be computed: why it does not apply (empty where it does), and about how many floating-point operations.
struct AttentionErrorPlan {
  std::string reason;
  double operations = 0;
};
AttentionErrorPlan plan_attention_error(const ExtrapolationSetting& setting);

/// window: mean over windows and test queries of the total variation between wanted and given attention, at N minus at L
/// (window_in). retrieval: share of a match's attention that other keys take, at N minus at L. By factor.
struct AttentionErrors {
  std::vector<double> window, retrieval;
  double window_in = 0;
  Index training_queries = 0;
};
/// `observations` is T, of each training query, against coefficients of unit prior variance. Where heads differ, each target
/// has the head that serves it best. Parallel; same bits for any number of threads.
AttentionErrors attention_errors(const ExtrapolationSetting& setting, double observations);

}  // namespace posenc::analyses
