#pragma once
// analyses: the coefficients of a head that was fitted to a window of attention inside the training length.
#include "analyses/attention_scores.hpp"
#include "math/newton.hpp"

#include <span>

namespace posenc::analyses {

/// argmin of  T sum_{m<L} KL(p*_{w,m} || softmax_{s<=m} phi . c) + |c|^2 / 2, the value without the entropy of p*. Sequential:
/// run one a target. `observations` is T.
math::Minimum fit_window(const ScoreSpace& space, double width, double observations);

/// The value of the same sum for scores that have no coefficients, by lag [L].
double window_value(std::span<const double> scores, double width, double observations);

}  // namespace posenc::analyses
