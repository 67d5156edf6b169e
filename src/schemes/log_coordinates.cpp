#include "schemes/log_coordinates.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {

using model::Index;
using model::Pos;

double log_coordinate(Pos offset, Pos pretrained) {
  const double r = static_cast<double>(offset) / static_cast<double>(pretrained - 1);
  return std::copysign(std::log2(1 + 8 * std::abs(r)) / 3, r);
}

model::Matrix LogCoordinateBias::table(Pos window, Pos pretrained) const {
  const Pos side = 2 * window - 1;
  model::Matrix out(side * side, w2.rows());
  model::Vector hidden(w1.rows());
  for (Pos dy = 1 - window; dy < window; ++dy)
    for (Pos dx = 1 - window; dx < window; ++dx) {
      const double y = log_coordinate(dy, pretrained), x = log_coordinate(dx, pretrained);
      for (Index u = 0; u < hidden.size(); ++u) hidden(u) = std::max(0.0, w1(u, 0) * y + w1(u, 1) * x + b1(u));
      for (Index h = 0; h < w2.rows(); ++h) {
        double sum = 0;
        for (Index u = 0; u < hidden.size(); ++u) sum += w2(h, u) * hidden(u);
        out((dy + window - 1) * side + dx + window - 1, h) = 16 / (1 + std::exp(-sum));
      }
    }
  return out;
}

}  // namespace posenc::schemes
