#include "math/exact_fit.hpp"

#include "math/noise_fit.hpp"
#include "math/random.hpp"
#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>

using namespace posenc::math;
using posenc::test::geometric;

namespace {

/// cos and sin of base^(-2i/dim) s by the library's own functions.
Eigen::MatrixXd design(double base, int dim, int rows) {
  Eigen::MatrixXd phi(rows, dim);
  for (int s = 0; s < rows; ++s)
    for (int i = 0; i < dim / 2; ++i) {
      const double angle = s * std::pow(base, -2.0 * i / dim);
      phi(s, i) = std::cos(angle), phi(s, dim / 2 + i) = std::sin(angle);
    }
  return phi;
}

}  // namespace

TEST_CASE("exact fit: the deviation of a regular system is that of a float64 factorisation") {
  const Eigen::MatrixXd phi = design(10, 8, 64), later = design(10, 8, 200);
  const Eigen::LLT<Eigen::MatrixXd> factor(phi.transpose() * phi);
  const std::vector<std::int64_t> at{0, 1, 31, 63, 64, 65, 100, 199};
  const auto ours = exact_fit_deviation(geometric(10, 8), 64, at);
  for (std::size_t k = 0; k < at.size(); ++k) {
    const Eigen::VectorXd row = later.row(at[k]).transpose();
    CHECK(ours[k] == Approx(std::sqrt(row.dot(factor.solve(row)))).epsilon(1e-12));
  }
}

// A 320-digit Cholesky factorisation, d = 128, b = 1e4, 2048 rows: twelve digits.
TEST_CASE("exact fit: a system that is singular in float64") {
  const std::vector<std::int64_t> at{0, 2047, 2048, 2049, 2100, 2304, 2560, 4095};
  const std::vector<double> deviation{0.990675558182, 0.990675558182,   7.26029490157,    30.0437500461,
                                      86444912702.2,  9.28566006379e24, 7.15339654669e34, 1.78656027473e62};
  const auto ours = exact_fit_deviation(geometric(10000, 128), 2048, at);
  for (std::size_t k = 0; k < at.size(); ++k) CHECK(ours[k] == Approx(deviation[k]).epsilon(1e-11));
}

TEST_CASE("exact fit: equal frequencies, none at all and too few rows have no fit; bits do not depend on threads") {
  const auto f = geometric(10000, 16);
  const std::vector<std::int64_t> at{3};
  CHECK(std::isnan(exact_fit_deviation(std::vector<Turn>{f[1], f[1]}, 100, at)[0]));
  CHECK(std::isnan(exact_fit_deviation(std::vector<Turn>{f[1], {}}, 100, at)[0]));
  CHECK(std::isnan(exact_fit_deviation({}, 100, at)[0]));
  CHECK(std::isnan(exact_fit_deviation(f, 15, at)[0]));
  CHECK_FALSE(std::isnan(exact_fit_deviation(f, 16, at)[0]));
  const auto all = posenc::test::at_thread_counts([&] {
    return exact_fit_deviation(f, 64, std::vector<std::int64_t>{1, 70, 90});
  });
  CHECK(all[0] == all[1]);
  CHECK(all[0] == all[2]);
}

TEST_CASE("fits to noise: every solver gives the least-squares fit of a regular system") {
  const auto f = geometric(10, 8);
  const Eigen::MatrixXd phi = design(10, 8, 128);
  std::vector<double> noise(64 * 3);
  normal(Stream(5, "noise-fit"), 0, noise);
  for (const FitSolver solver : {FitSolver::normal_f32, FitSolver::normal_f64, FitSolver::svd, FitSolver::ridge}) {
    const double ridge = 0.5, tolerance = solver == FitSolver::normal_f32 ? 1e-4 : 1e-12;
    const NoiseFits fits = fit_noise(f, 64, solver, ridge, 3, 5);
    REQUIRE(fits.largest.size() == 3);
    CHECK(fits.data == std::vector<double>(noise.begin(), noise.begin() + 64));
    for (int d = 0; d < 3; ++d) {
      const Eigen::VectorXd y = Eigen::Map<const Eigen::VectorXd>(noise.data() + 64 * d, 64);
      Eigen::VectorXd c = phi.topRows(64).colPivHouseholderQr().solve(y);
      if (solver == FitSolver::ridge)
        c = (phi.topRows(64).transpose() * phi.topRows(64) + ridge * Eigen::MatrixXd::Identity(8, 8))
                .ldlt()
                .solve(phi.topRows(64).transpose() * y);
      CHECK(fits.largest[static_cast<std::size_t>(d)] ==
            Approx((phi.bottomRows(64) * c).cwiseAbs().maxCoeff()).epsilon(tolerance));
      if (d == 0)
        for (int s = 0; s < 128; ++s)
          CHECK(fits.curve[static_cast<std::size_t>(s)] == Approx(phi.row(s).dot(c)).margin(10 * tolerance));
    }
  }
}

TEST_CASE("fits to noise: a draw does not depend on the number of draws, nor on threads") {
  const auto f = geometric(10, 8);
  const auto two = fit_noise(f, 64, FitSolver::normal_f64, 0, 2, 0), five = fit_noise(f, 64, FitSolver::normal_f64, 0, 5, 0);
  for (std::size_t d = 0; d < 2; ++d) CHECK(two.largest[d] == Approx(five.largest[d]).epsilon(1e-12));
  const auto all = posenc::test::at_thread_counts([&] { return fit_noise(f, 64, FitSolver::svd, 0, 4, 1).largest; });
  CHECK(all[0] == all[1]);
  CHECK(all[0] == all[2]);
}
