#include "math/plane_overlap.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <Eigen/QR>
#include <cmath>

using namespace posenc::math;

namespace {

/// From orthonormal bases of the two planes, float64.
double by_bases(double a, double b, int count) {
  const auto basis = [count](double t) {
    Eigen::MatrixXd x(count, 2);
    for (int s = 0; s < count; ++s) x(s, 0) = std::cos(s * t), x(s, 1) = std::sin(s * t);
    return Eigen::MatrixXd(x.householderQr().householderQ() * Eigen::MatrixXd::Identity(count, 2));
  };
  return (basis(a).transpose() * basis(b)).squaredNorm() / 2;
}
Turn turn(double theta) { return turn_from(Real(theta) / two_pi()); }

}  // namespace

TEST_CASE("the overlap of two planes is that of orthonormal bases") {
  for (const auto& [a, b] : {std::pair{1.0, 0.8}, {0.5, 0.1}, {0.03, 0.025}, {3.0, 0.2}, {0.01, 0.004}})
    for (const int count : {2, 5, 64, 500}) {
      INFO(a << " " << b << " " << count);
      // The columns of slow pairs are nearly dependent in float64.
      CHECK(plane_overlap(turn(a), turn(b), count) == Approx(by_bases(a, b, count)).margin(1e-9));
    }
}

TEST_CASE("one plane, orthogonal planes, slow pairs, and pairs that span none") {
  CHECK(plane_overlap(turn(0.7), turn(0.7), 30) == Approx(1).epsilon(1e-14));
  CHECK(plane_overlap({std::uint64_t{1} << 62, 0}, {std::uint64_t{1} << 60, 0}, 64) ==
        Approx(0).margin(1e-14));  // 1/4 and 1/16 turn
  // Both planes tend to that of 1 and s; the difference is of the fourth order in the angle.
  CHECK(plane_overlap(turn(1e-6), turn(2e-6), 100) == Approx(1).epsilon(1e-13));
  CHECK(plane_overlap(turn(1e-6), turn(2e-6), 100) <= 1);
  CHECK(std::isnan(plane_overlap({}, turn(1), 10)));
  CHECK(std::isnan(plane_overlap(turn(1), {std::uint64_t{1} << 63, 0}, 10)));
  CHECK(std::isnan(plane_overlap(turn(1), turn(2), 1)));
}
