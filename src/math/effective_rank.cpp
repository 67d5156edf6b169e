#include "math/effective_rank.hpp"

#include "core/sink.hpp"
#include "math/parallel.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace posenc::math {
namespace {

using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
constexpr std::int64_t panel = 64;

/// Adds x^T x to the lower triangle of `sum`, panel by panel.
void add_products(const Rows& x, Eigen::MatrixXd& sum) {
  const std::int64_t n = x.cols();
  parallel_for((n + panel - 1) / panel, [&](std::int64_t p) {
    const std::int64_t at = p * panel, width = std::min(panel, n - at);
    const Eigen::MatrixXd part = x.rightCols(n - at).transpose() * x.middleCols(at, width);
    sum.block(at, at, n - at, width) += part;
  });
}

double entropy_rank(const Eigen::MatrixXd& covariance) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance, Eigen::EigenvaluesOnly);
  double total = 0, entropy = 0;
  for (const double v : solver.eigenvalues()) total += std::max(v, 0.0);
  if (!(total > 0)) return std::numeric_limits<double>::quiet_NaN();
  for (const double v : solver.eigenvalues())
    if (v > 0) entropy -= v / total * std::log(v / total);
  return std::exp(entropy);
}

}  // namespace

double effective_rank(std::int64_t rows, std::int64_t columns,
                      const std::function<void(std::int64_t first, std::int64_t count, double* out)>& block) {
  const auto each = [&](const auto& body) {
    for (std::int64_t first = 0; first < rows; first += effective_rank_block) {
      throw_if_stop_requested();
      Rows x(std::min(effective_rank_block, rows - first), columns);
      block(first, x.rows(), x.data());
      body(first, x);
    }
  };
  std::vector<double> mean(static_cast<std::size_t>(columns));
  each([&](std::int64_t, Rows& x) {
    for (std::int64_t i = 0; i < x.rows(); ++i)
      for (std::int64_t j = 0; j < columns; ++j) mean[static_cast<std::size_t>(j)] += x(i, j);
  });
  const auto centre = [&](Rows& x) {
    for (std::int64_t i = 0; i < x.rows(); ++i)
      for (std::int64_t j = 0; j < columns; ++j) x(i, j) -= mean[static_cast<std::size_t>(j)];
  };
  for (double& m : mean) m /= static_cast<double>(rows);

  if (rows < columns) {  // the smaller of the two Gram matrices has the same eigenvalues
    Rows all(columns, rows);
    each([&](std::int64_t first, Rows& x) {
      centre(x);
      all.middleCols(first, x.rows()) = x.transpose();
    });
    Eigen::MatrixXd gram = Eigen::MatrixXd::Zero(rows, rows);
    add_products(all, gram);
    return entropy_rank(gram);
  }
  Eigen::MatrixXd covariance = Eigen::MatrixXd::Zero(columns, columns);
  each([&](std::int64_t, Rows& x) {
    centre(x);
    add_products(x, covariance);
  });
  return entropy_rank(covariance);
}

}  // namespace posenc::math
