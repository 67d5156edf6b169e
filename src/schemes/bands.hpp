#pragma once
// schemes: recognition of schemes that keep the fast pairs and divide the slow ones by their factor, with a blend between.
#include "schemes/estimates.hpp"

#include <functional>

namespace posenc::schemes {

/// One choice of the blend: values of the scheme, and the share of interpolation of each pair, in [0, 1].
struct Blend {
  Values values;
  std::vector<double> share;
};
/// Blends to try at a base, `turns` what the observed frequencies would be without scaling.
using Blends = std::function<std::vector<Blend>(double base, const std::vector<double>& ratio)>;

/// Share of interpolation of a pair that turns so often within the training length: 1 up to `low`, 0 from `high` on, linear
/// between.
double share_of_turns(double turns, double low, double high);
/// The whole training length under which the pairs between kept and divided have the shares that their ratios to plain
/// frequencies show; empty where there is no such pair or the last is not divided whole.
std::optional<double> length_of_turns(const std::vector<double>& plain, const std::vector<double>& ratio, double low,
                                      double high);

/// Base, factor and blend of the nearest few: theta_j = plain_j (1 - g_j (1 - 1/factor)). The base comes from the pairs that are
/// kept or from those that are divided whole, the factor from all. `more`: values from the factor (attention factor); may be
/// empty.
std::vector<model::Proposal> banded(const char* scheme, const model::Observation& seen, const Blends& blends,
                                    const std::function<Values(double factor)>& more);

/// The length that has few binary or decimal digits in [low, high], 1 <= low <= high; empty where none has 4 or fewer.
std::optional<double> round_length(double low, double high);

}  // namespace posenc::schemes
