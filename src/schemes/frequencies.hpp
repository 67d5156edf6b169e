#pragma once
// schemes: angular frequencies in the 113-bit real. Include it in source files only: the type is heavy.
#include "math/real.hpp"
#include "model/encoding.hpp"

#include <vector>

namespace posenc::schemes {

using Thetas = std::vector<math::Real>;  // rad per position

/// b^(-2i/width), i = 0 .. width/2 - 1 (b > 0, width even). Relative error below 2^-105 for b up to 1e300.
Thetas geometric(const math::Real& base, model::Index width);
/// The base that slows the last of width/2 pairs by exactly `factor`: b factor^(width/(width - 2)); width > 2.
math::Real ntk_base(const math::Real& base, const math::Real& factor, model::Index width);

/// The exact turn of an angular frequency, and its rounded double.
model::Frequency frequency(const math::Real& theta);
std::vector<model::Frequency> frequencies(const Thetas& thetas);

}  // namespace posenc::schemes
