#pragma once
// math: the minimum of a strictly convex smooth function of up to some thousand variables.
#include <Eigen/Core>

namespace posenc::math {

struct ConvexFunction {
  virtual ~ConvexFunction() = default;
  virtual Eigen::Index size() const = 0;
  virtual double value(const Eigen::VectorXd& x) const = 0;
  /// Overwrites gradient and the lower triangle of the Hessian.
  virtual void derivatives(const Eigen::VectorXd& x, Eigen::VectorXd& gradient, Eigen::MatrixXd& hessian) const = 0;
};

struct Minimum {
  Eigen::VectorXd x;
  double value = 0;
  int steps = 0;
};

/// Newton's method from 0 with halved steps (Armijo) until the squared decrement g^T H^-1 g is at most 1e-9, where one more full
/// step ends it: convergence is quadratic there, so that the error left is that of the gradient's rounding. At most 1000 steps: far from the minimum of an
/// exponential each advances by 1.
Minimum newton_minimum(const ConvexFunction& f);

}  // namespace posenc::math
