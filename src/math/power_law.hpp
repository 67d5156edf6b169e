#pragma once
// math: y = coefficient x^exponent by least squares of ln y on ln x.
#include <span>

namespace posenc::math {

struct PowerLaw {
  double coefficient, exponent;
};
/// x and y positive, at least two different x. Relative error 1e-13 for fewer than 1000 points.
PowerLaw power_law(std::span<const double> x, std::span<const double> y);

}  // namespace posenc::math
