#include "math/ridge.hpp"

#include "math/parallel.hpp"
#include "support/catch.hpp"

#include <Eigen/Dense>
#include <random>

using posenc::math::Ridge;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

namespace {

Rows noise(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
  std::mt19937 g(seed);
  std::normal_distribution<double> z;
  Rows m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = z(g);
  return m;
}

Ridge fit(const Rows& design, double v) {
  return Ridge(
      design.cols(), design.rows(),
      [&](std::int64_t first, std::int64_t count, double* out) {
        std::copy_n(design.row(first).data(), count * design.cols(), out);
      },
      v, design.rows());
}

struct Values {
  Eigen::VectorXd undetermined, gain;
};
Values evaluate(const Ridge& ridge, const Rows& rows) {
  Values v{Eigen::VectorXd(rows.rows()), Eigen::VectorXd(rows.rows())};
  ridge.evaluate(rows.rows(), rows.data(), v.undetermined.data(), v.gain.data());
  return v;
}

}  // namespace

TEST_CASE("the posterior in feature space is that of a Gaussian process on the training points") {
  const double v = 0.01;
  for (const auto& [n, p] : {std::pair{40, 7}, std::pair{700, 24}, std::pair{12, 30}}) {
    const Rows x = noise(n, p, 1), t = noise(300, p, 2);
    const double scale = std::sqrt(static_cast<double>(n) / x.squaredNorm());
    const Eigen::MatrixXd X = scale * x, T = scale * t;
    const Eigen::MatrixXd K = X * X.transpose() + v * Eigen::MatrixXd::Identity(n, n);
    const Eigen::MatrixXd weights = K.ldlt().solve(X * T.transpose());  // (K + v I)^-1 k: the fit to noise, by duality
    const Values ours = evaluate(fit(x, v), t);
    for (Eigen::Index i = 0; i < t.rows(); ++i) {
      const double prior = T.row(i).squaredNorm(), left = prior - (X * T.row(i).transpose()).dot(weights.col(i));
      // The reference cancels: its own error is about 1e-16 times the condition number of K, n / v.
      CHECK(ours.undetermined[i] == Approx(left / prior).epsilon(1e-9).margin(1e-11));
      CHECK(ours.gain[i] == Approx(weights.col(i).norm()).epsilon(1e-9));
    }
  }
}

TEST_CASE("one-hot rows have the closed forms 1 / (1 + n / v) and sqrt(n) / (n + v)") {
  const double v = 0.01;
  Rows x = Rows::Zero(2048, 17);
  for (Eigen::Index i = 0; i < x.rows(); ++i) x(i, std::min<Eigen::Index>(i, 15)) = 1;  // class 16 is never met
  const Values ours = evaluate(fit(x, v), Rows::Identity(17, 17));
  for (Eigen::Index c = 0; c < 17; ++c) {
    const double n = c < 15 ? 1 : c == 15 ? 2033 : 0;
    CHECK(ours.undetermined[c] == Approx(1 / (1 + n / v)).epsilon(1e-13));
    CHECK(ours.gain[c] == Approx(std::sqrt(n) / (n + v)).epsilon(1e-12).margin(1e-12));
  }
}

TEST_CASE("the scale of the design does not matter, a row of zeros is determined, and solve gives the ridge coefficients") {
  const Rows x = noise(500, 9, 3), t = noise(20, 9, 4);
  const Values once = evaluate(fit(x, 0.1), t), thrice = evaluate(fit(3 * x, 0.1), Rows(3 * t));
  for (Eigen::Index i = 0; i < 20; ++i) {
    CHECK(once.undetermined[i] == Approx(thrice.undetermined[i]).epsilon(1e-12));
    CHECK(once.gain[i] == Approx(thrice.gain[i]).epsilon(1e-12));
  }
  CHECK(evaluate(fit(x, 0.1), Rows::Zero(1, 9)).undetermined[0] == 0);

  const Ridge ridge = fit(x, 0.1);
  const Eigen::MatrixXd X = ridge.scale() * x, y = noise(500, 3, 5);
  CHECK(X.squaredNorm() / 500 == Approx(1).epsilon(1e-13));
  Eigen::MatrixXd c = X.transpose() * y;
  ridge.solve(c);
  const Eigen::MatrixXd residual = X.transpose() * (y - X * c) - 0.1 * c;  // the normal equations
  CHECK(residual.cwiseAbs().maxCoeff() < 1e-11);
}

TEST_CASE("the same bits at any number of threads") {
  const Rows x = noise(5000, 33, 6), t = noise(256, 33, 7);
  const int before = posenc::math::threads();
  posenc::math::set_threads(1);
  const Values one = evaluate(fit(x, 0.01), t);
  posenc::math::set_threads(5);
  const Values five = evaluate(fit(x, 0.01), t);
  posenc::math::set_threads(before);
  CHECK((one.undetermined == five.undetermined));
  CHECK((one.gain == five.gain));
}
