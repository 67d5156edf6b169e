#include "analyses/attention_table.hpp"

#include "analyses/attention_targets.hpp"
#include "model/views/features.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

namespace posenc::analyses {
namespace {

constexpr Pos block = 1024;

Matrix table_rows(const Encoding& e, Pos first, Pos count) {
  const Features phi = features(e, 0);
  const auto& dense = std::get<DenseFeatures>(phi.form);
  Matrix out(count, dense.size);
  dense.fill({first + count - 1, first, count}, out);  // the key at position `lag`
  return out;
}

double inner(const Matrix& a, const Matrix& b) {
  double sum = 0;
  for (Index i = 0; i < a.size(); ++i) sum += a.data()[i] * b.data()[i];
  return sum;
}

/// One target's objective over C [rank][rank].
struct Objective {
  const Matrix &keys, &asked;
  const std::vector<Pos>& queries;
  double T;
  Matrix wanted;  // [query][key]

  Objective(const Matrix& keys, const Matrix& asked, const std::vector<Pos>& queries, double width, double T)
      : keys(keys), asked(asked), queries(queries), T(T), wanted(Matrix::Zero(asked.rows(), keys.rows())) {
    const std::vector<double> weights = window_weights(width, keys.rows());
    for (Index i = 0; i < wanted.rows(); ++i) {
      const Pos m = queries[static_cast<std::size_t>(i)];
      double sum = 0;
      for (Pos s = 0; s <= m; ++s) sum += weights[static_cast<std::size_t>(s)];
      for (Pos s = 0; s <= m; ++s) wanted(i, m - s) = weights[static_cast<std::size_t>(s)] / sum;
    }
  }
  /// Value; `mass` becomes the softmax of every query.
  double value(const Matrix& c, Matrix& mass) const {
    mass.noalias() = (asked * c) * keys.transpose();
    double sum = 0;
    for (Index i = 0; i < mass.rows(); ++i) {
      const Pos m = queries[static_cast<std::size_t>(i)];
      double top = mass(i, 0), norm = 0;
      for (Pos n = 0; n <= m; ++n) top = std::max(top, mass(i, n)), sum -= wanted(i, n) * mass(i, n);
      for (Pos n = 0; n <= m; ++n) norm += mass(i, n) = std::exp(mass(i, n) - top);
      for (Pos n = 0; n < mass.cols(); ++n) mass(i, n) = n <= m ? mass(i, n) / norm : 0;
      sum += std::log(norm) + top;
    }
    return T * sum + inner(c, c) / 2;
  }
  Matrix gradient(const Matrix& c, const Matrix& mass) const { return T * (asked.transpose() * ((mass - wanted) * keys)) + c; }
  Matrix hessian_times(const Matrix& mass, const Matrix& v) const {
    Matrix change = (asked * v) * keys.transpose();
    for (Index i = 0; i < change.rows(); ++i) {
      double mean = 0;
      for (Index n = 0; n < change.cols(); ++n) mean += mass(i, n) * change(i, n);
      for (Index n = 0; n < change.cols(); ++n) change(i, n) = mass(i, n) * (change(i, n) - mean);
    }
    return T * (asked.transpose() * (change * keys)) + v;
  }
};

/// (T A (x) B / n + 1)^-1, A the Gram of the queries, B the sum over queries of the covariance of keys under the softmax: the
/// Hessian if every query attended alike.
struct Preconditioner {
  Eigen::MatrixXd left, right;
  Matrix divisor;
  Preconditioner(const Objective& f, const Matrix& mass) {
    const Eigen::MatrixXd mean = mass * f.keys;
    Eigen::VectorXd total = Eigen::VectorXd::Zero(mass.cols());
    for (Index i = 0; i < mass.rows(); ++i)
      for (Index n = 0; n < mass.cols(); ++n) total[n] += mass(i, n);
    const Eigen::MatrixXd spread = f.keys.transpose() * (total.asDiagonal() * f.keys) - mean.transpose() * mean;
    const Eigen::MatrixXd gram = f.asked.transpose() * f.asked;
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> a(gram), b(spread);
    left = a.eigenvectors(), right = b.eigenvectors();
    divisor.resize(left.cols(), right.cols());
    for (Index i = 0; i < divisor.rows(); ++i)
      for (Index j = 0; j < divisor.cols(); ++j)
        divisor(i, j) =
            1 + f.T * std::max(a.eigenvalues()[i], 0.0) * std::max(b.eigenvalues()[j], 0.0) / static_cast<double>(mass.rows());
  }
  Matrix solve(const Matrix& g) const {
    const Matrix rotated = left.transpose() * g * right;
    return left * rotated.cwiseQuotient(divisor) * right.transpose();
  }
};

/// -H^-1 g to a relative residual in the preconditioned norm.
Matrix newton_step(const Objective& f, const Matrix& mass, const Matrix& gradient, double tolerance) {
  const Preconditioner m(f, mass);
  Matrix x = Matrix::Zero(gradient.rows(), gradient.cols()), r = -gradient, z = m.solve(r), direction = z;
  double rz = inner(r, z);
  const double enough = rz * tolerance * tolerance;
  for (int i = 0; i < 500 && rz > enough; ++i) {
    const Matrix h = f.hessian_times(mass, direction);
    const double alpha = rz / inner(direction, h);
    x += alpha * direction, r -= alpha * h;
    z = m.solve(r);
    const double next = inner(r, z);
    direction = z + (next / rz) * direction;
    rz = next;
  }
  return x;
}

}  // namespace

TableScores::TableScores(const ExtrapolationSetting& setting, Index most_queries)
    : queries_(analyses::training_queries(0, setting.length - 1, most_queries)) {
  const Pos L = setting.length;
  Eigen::MatrixXd gram;
  for (Pos first = 0; first < L; first += block) {
    const Matrix rows = table_rows(setting.trained, first, std::min(block, L - first));
    if (gram.size() == 0) gram = Eigen::MatrixXd::Zero(rows.cols(), rows.cols());
    gram.noalias() += rows.transpose() * rows;
  }
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(gram);
  const double largest = eigen.eigenvalues().maxCoeff();
  Index small = 0;
  while (eigen.eigenvalues()[small] <= 1e-13 * largest) ++small;
  basis_ = eigen.eigenvectors().rightCols(gram.cols() - small);
  scale_ = std::sqrt(static_cast<double>(L) / gram.trace());
  keys_ = positions(setting.trained, 0, L);
  asked_.resize(training_queries(), rank());
  for (Index i = 0; i < asked_.rows(); ++i) asked_.row(i) = keys_.row(queries_[static_cast<std::size_t>(i)]);
  weight_ = static_cast<double>(L) / static_cast<double>(queries_.size());
}

Matrix TableScores::positions(const Encoding& e, Pos first, Pos count) const {
  Matrix out(count, rank());
  for (Pos at = 0; at < count; at += block) {
    const Pos n = std::min(block, count - at);
    out.middleRows(at, n).noalias() = scale_ * (table_rows(e, first + at, n) * basis_);
  }
  return out;
}

Matrix TableScores::fit_window(double width, double observations) const {
  const Objective f(keys_, asked_, queries_, width, observations * weight_);
  Matrix c = Matrix::Zero(rank(), rank()), mass, trial_mass;
  double value = f.value(c, mass);
  for (int step = 0; step < 100; ++step) {
    const Matrix gradient = f.gradient(c, mass);
    // Tighter as the steps shrink, so that convergence stays fast.
    const double tolerance = std::clamp(std::sqrt(inner(gradient, gradient)) * 1e-3, 1e-6, 1e-2);
    const Matrix direction = newton_step(f, mass, gradient, tolerance);
    const double decrement = -inner(gradient, direction);
    double share = 1;
    for (;; share /= 2) {
      const double next = f.value(c + share * direction, trial_mass);
      if (next <= value - 1e-4 * share * decrement + 1e-13 * std::abs(value) || share < 1e-12) {
        value = next;
        break;
      }
    }
    c += share * direction;
    mass.swap(trial_mass);
    if (decrement <= 1e-9) break;
  }
  return c;
}

std::vector<double> TableScores::scores(const Encoding& used, Pos m, const Matrix& c) const {
  const double heat = used.query_scale ? used.query_scale(m) : 1.0;
  const Matrix query = heat * (positions(used, m, 1) * c);
  std::vector<double> out(static_cast<std::size_t>(m + 1));
  for (Pos first = 0; first <= m; first += block) {
    const Pos n = std::min(block, m + 1 - first);
    const Matrix keys = positions(used, first, n);
    for (Pos i = 0; i < n; ++i) {
      double sum = 0;
      for (Index k = 0; k < rank(); ++k) sum += query(0, k) * keys(i, k);
      out[static_cast<std::size_t>(m - first - i)] = sum;
    }
  }
  return out;
}

}  // namespace posenc::analyses
