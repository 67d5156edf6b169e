#pragma once
// analyses: undetermined variance and noise gain at every lag of every length in use, streamed.
#include "analyses/extrapolation_setting.hpp"
#include "core/sink.hpp"

#include <map>

namespace posenc::analyses {

/// Scalar measures by name, [head][factor].
using ByHeadAndFactor = std::map<std::string, std::vector<double>, std::less<>>;

/// Writes undetermined_variance and fills its _mean, _max, _in, fit_blowup_max and fit_blowup_rms.
void measure_curves(const ExtrapolationSetting& setting, double noise_variance, Sink& sink, ByHeadAndFactor& results);

}  // namespace posenc::analyses
