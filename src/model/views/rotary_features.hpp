#pragma once
// model: features of rotary scores, by lag where the rotation is one, else by the two positions.
#include "model/views/features.hpp"

namespace posenc::model {

/// See features(). Error of a column 4e-16 times its weight, and that of the damping's exponential.
Features rotary_features(const Encoding& e, const Rotary& r, Index head, Temperature temperature);

}  // namespace posenc::model
