#include "math/power_law.hpp"

#include "support/catch.hpp"

#include <cmath>
#include <vector>

using namespace posenc::math;

TEST_CASE("points of a power law give it back, and the normal equations hold for others") {
  const std::vector<double> x{1e3, 7e4, 2e5, 1e6, 3e8};
  std::vector<double> y;
  for (const double v : x) y.push_back(0.0424 * std::pow(v, 1.628));
  CHECK(power_law(x, y).coefficient == Approx(0.0424).epsilon(1e-13));
  CHECK(power_law(x, y).exponent == Approx(1.628).epsilon(1e-13));
  y[1] *= 1.3, y[4] *= 0.4;
  const PowerLaw law = power_law(x, y);
  double residual = 0, moment = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = std::log(y[i]) - std::log(law.coefficient) - law.exponent * std::log(x[i]);
    residual += r, moment += r * std::log(x[i]);
  }
  CHECK(std::abs(residual) < 1e-12);
  CHECK(std::abs(moment) < 1e-11);
}
