#include "math/effective_rank.hpp"
#include "math/parallel.hpp"
#include "math/random.hpp"
#include "support/catch.hpp"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

using namespace posenc::math;

namespace {
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

double rank_of(const Rows& x) {
  return effective_rank(x.rows(), x.cols(), [&](std::int64_t first, std::int64_t count, double* out) {
    CHECK(count <= effective_rank_block);
    std::copy_n(x.data() + first * x.cols(), count * x.cols(), out);
  });
}

/// From singular values of the centred rows, which see small ones that a covariance loses.
double by_singular_values(Rows x) {
  x.rowwise() -= x.colwise().mean().eval();
  const Eigen::VectorXd s = Eigen::BDCSVD<Eigen::MatrixXd>(x).singularValues();
  const double total = s.squaredNorm();
  double entropy = 0;
  for (const double v : s)
    if (v > 0) entropy -= v * v / total * std::log(v * v / total);
  return std::exp(entropy);
}

Rows drawn(std::int64_t rows, std::int64_t columns) {
  Rows x(rows, columns);
  normal(Stream(5, "effective rank"), 0, {x.data(), static_cast<std::size_t>(x.size())});
  return x;
}
}  // namespace

TEST_CASE("effective rank in closed form") {
  // n circles of equal size in orthogonal planes: 2n equal singular values.
  for (const int circles : {1, 3}) {
    Rows x(700, 2 * circles);
    for (Eigen::Index i = 0; i < x.rows(); ++i)
      for (int c = 0; c < circles; ++c) {
        const double angle = 2 * std::numbers::pi * static_cast<double>((c + 1) * i % 700) / 700;
        x(i, 2 * c) = std::cos(angle) + 3, x(i, 2 * c + 1) = std::sin(angle) - 1e3;
      }
    CHECK(rank_of(x) == Approx(2 * circles).epsilon(1e-12));
  }
  Rows line(50, 3);
  for (Eigen::Index i = 0; i < 50; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) line(i, j) = static_cast<double>(i << j);
  CHECK(rank_of(line) == Approx(1).epsilon(1e-12));
  CHECK(std::isnan(rank_of(Rows::Constant(9, 4, 1.5))));
}

TEST_CASE("effective rank agrees with singular values, whatever the shape and the condition") {
  for (const auto& [rows, columns] : {std::pair{2000, 96}, std::pair{64, 200}, std::pair{130, 130}, std::pair{2, 5}}) {
    Rows x = drawn(rows, columns);
    for (const double ratio : {1.0, 1e-3, 1e-12}) {  // of the smallest to the largest column
      Rows y = x;
      for (Eigen::Index j = 0; j < columns; ++j)
        y.col(j) *= std::pow(ratio, static_cast<double>(j) / static_cast<double>(columns));
      y.array() += 10;
      INFO(rows << " x " << columns << ", ratio " << ratio);
      CHECK(rank_of(y) == Approx(by_singular_values(y)).epsilon(1e-11));
    }
  }
}

TEST_CASE("effective rank has the same bits at any number of threads") {
  const Rows x = drawn(1500, 150);
  const int before = threads();
  set_threads(1);
  const double one = rank_of(x);
  set_threads(3);
  CHECK(rank_of(x) == one);
  set_threads(before);
}
