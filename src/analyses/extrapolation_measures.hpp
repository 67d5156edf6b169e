#pragma once
// analyses: the measures of extrapolation beside the fit: phases, codes, attention, tables.
#include "analyses/extrapolation_curves.hpp"
#include "analyses/extrapolation_reasons.hpp"

namespace posenc::analyses {

/// unseen_pairs, unseen_phase, unseen_fraction of classes, resolution, distinct_fraction, as far as they apply.
void measure_codes(const ExtrapolationSetting& s, const ExtrapolationReasons& why, bool classes, ByHeadAndFactor& out);
/// leak, entropy_drift, window_ratio, total_variation_distance, and unseen_fraction where biases are numbers.
void measure_attention(const ExtrapolationSetting& s, bool biases, ByHeadAndFactor& out);
/// Writes policy, reconstruction_error and reconstruction_error_tail of the table's rows at positions below L.
void measure_tables(const ExtrapolationSetting& s, double noise_variance, Sink& sink);

}  // namespace posenc::analyses
