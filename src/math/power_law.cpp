#include "math/power_law.hpp"

#include <cmath>

namespace posenc::math {

PowerLaw power_law(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += std::log(x[i]) / n, mean_y += std::log(y[i]) / n;
  double together = 0, spread = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double dx = std::log(x[i]) - mean_x;
    together += dx * (std::log(y[i]) - mean_y), spread += dx * dx;
  }
  const double slope = together / spread;
  return {std::exp(mean_y - slope * mean_x), slope};
}

}  // namespace posenc::math
