#include "math/newton.hpp"

#include "support/catch.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <random>

using namespace posenc::math;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// w e^x + x^2 / 2: its minimum is -W(w), W Lambert's function.
struct Lambert : ConvexFunction {
  double w;
  explicit Lambert(double w) : w(w) {}
  Eigen::Index size() const override { return 1; }
  double value(const VectorXd& x) const override { return w * std::exp(x[0]) + x[0] * x[0] / 2; }
  void derivatives(const VectorXd& x, VectorXd& g, MatrixXd& h) const override {
    g = VectorXd::Constant(1, w * std::exp(x[0]) + x[0]);
    h = MatrixXd::Constant(1, 1, w * std::exp(x[0]) + 1);
  }
};

/// |A x - b|^2 / 2 + |x|^2 / 2.
struct LeastSquares : ConvexFunction {
  MatrixXd a;
  VectorXd b;
  Eigen::Index size() const override { return a.cols(); }
  double value(const VectorXd& x) const override { return (a * x - b).squaredNorm() / 2 + x.squaredNorm() / 2; }
  void derivatives(const VectorXd& x, VectorXd& g, MatrixXd& h) const override {
    g = a.transpose() * (a * x - b) + x;
    h = a.transpose() * a + MatrixXd::Identity(size(), size());
    h.triangularView<Eigen::StrictlyUpper>().setConstant(std::nan(""));  // only the lower triangle counts
  }
};

}  // namespace

TEST_CASE("the minimum of w e^x + x^2/2 is -W(w)") {
  CHECK(newton_minimum(Lambert(1)).x[0] == Approx(-0.56714329040978387).epsilon(1e-14));  // the omega constant
  CHECK(newton_minimum(Lambert(std::exp(1))).x[0] == Approx(-1).epsilon(1e-14));
  CHECK(newton_minimum(Lambert(100 * std::exp(100))).x[0] == Approx(-100).epsilon(1e-13));  // full steps from 0 are far off
}

TEST_CASE("a quadratic takes one step and one to confirm it") {
  std::mt19937 g(1);
  std::normal_distribution<double> z;
  LeastSquares f;
  f.a = MatrixXd::NullaryExpr(40, 9, [&] { return z(g); });
  f.b = VectorXd::NullaryExpr(40, [&] { return z(g); });
  const Minimum m = newton_minimum(f);
  const MatrixXd normal = f.a.transpose() * f.a + MatrixXd::Identity(9, 9);
  const VectorXd exact = normal.fullPivLu().solve(f.a.transpose() * f.b);
  CHECK(m.steps == 2);
  CHECK((m.x - exact).norm() < 1e-13);
  CHECK(m.value == Approx(f.value(exact)).epsilon(1e-14));
}
