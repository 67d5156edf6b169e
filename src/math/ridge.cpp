#include "math/ridge.hpp"

#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace posenc::math {
namespace {

using Eigen::MatrixXd;

/// Number of partial Grams: enough to divide the work, bounded so that they stay within 512 MB. Depends on sizes only.
std::int64_t partials(std::int64_t size, std::int64_t blocks) {
  const std::int64_t room = (std::int64_t{1} << 26) / (size * size);
  return std::clamp<std::int64_t>(std::min<std::int64_t>(room, 16), 2, std::max<std::int64_t>(blocks, 2));
}

MatrixXd gram(std::int64_t size, std::int64_t rows, const Ridge::Design& design) {
  const std::int64_t blocks = (rows + Ridge::block - 1) / Ridge::block, parts = partials(size, blocks);
  std::vector<MatrixXd> sums(static_cast<std::size_t>(parts));
  parallel_for(parts, [&](std::int64_t part) {
    MatrixXd sum = MatrixXd::Zero(size, size), x(size, Ridge::block);
    for (std::int64_t b = blocks * part / parts; b < blocks * (part + 1) / parts; ++b) {
      const std::int64_t first = b * Ridge::block, count = std::min(Ridge::block, rows - first);
      design(first, count, x.data());
      sum.selfadjointView<Eigen::Lower>().rankUpdate(x.leftCols(count));
    }
    sums[static_cast<std::size_t>(part)] = std::move(sum);
  });
  for (std::size_t part = 1; part < sums.size(); ++part) sums[0] += sums[part];
  return std::move(sums[0]);
}

}  // namespace

Ridge::Ridge(std::int64_t size, std::int64_t rows, const Design& design, double noise_variance, std::int64_t observed)
    : noise_(noise_variance) {
  MatrixXd a = gram(size, rows, design);
  double trace = 0;
  for (std::int64_t i = 0; i < size; ++i) trace += a(i, i);
  scale_ = trace > 0 ? std::sqrt(static_cast<double>(observed) / trace) : 0;
  a *= scale_ * scale_ / noise_;
  a.diagonal().array() += 1;
  factor_.compute(a);
}

void Ridge::evaluate(std::int64_t count, const double* rows, double* undetermined, double* gain) const {
  MatrixXd x = scale_ * Eigen::Map<const MatrixXd>(rows, size(), count);
  const Eigen::VectorXd norm = x.colwise().squaredNorm();
  factor_.matrixL().solveInPlace(x);
  const Eigen::VectorXd left = x.colwise().squaredNorm();  // phi^T Sigma phi
  factor_.matrixU().solveInPlace(x);
  const Eigen::VectorXd twice = x.colwise().squaredNorm();  // |Sigma phi|^2
  for (std::int64_t i = 0; i < count; ++i) {
    undetermined[i] = norm[i] > 0 ? std::min(left[i] / norm[i], 1.0) : 0.0;
    gain[i] = std::sqrt(std::max(left[i] - twice[i], 0.0) / noise_);  // Phi^T Phi = v (Sigma^-1 - I)
  }
}

void Ridge::solve(Eigen::Ref<MatrixXd> right) const {
  factor_.matrixL().solveInPlace(right);
  factor_.matrixU().solveInPlace(right);
  right /= noise_;
}

}  // namespace posenc::math
