#include "math/newton.hpp"

#include <Eigen/Cholesky>
#include <cmath>

namespace posenc::math {

Minimum newton_minimum(const ConvexFunction& f) {
  Minimum at{Eigen::VectorXd::Zero(f.size()), 0, 0};
  at.value = f.value(at.x);
  Eigen::VectorXd gradient, trial;
  Eigen::MatrixXd hessian;
  constexpr int most = 1000;
  while (at.steps < most) {
    ++at.steps;
    f.derivatives(at.x, gradient, hessian);
    const Eigen::VectorXd step = -hessian.selfadjointView<Eigen::Lower>().llt().solve(gradient);
    const double decrement = -gradient.dot(step);
    double share = 1;
    if (decrement > 1e-9) {
      const double rounding = 1e-13 * std::abs(at.value);
      for (;; share /= 2) {
        trial = at.x + share * step;
        const double value = f.value(trial);
        if (value <= at.value - 1e-4 * share * decrement + rounding || share < 1e-12) break;
      }
    }
    at.x += share * step;
    at.value = f.value(at.x);
    if (!(decrement > 1e-9)) break;
  }
  return at;
}

}  // namespace posenc::math
