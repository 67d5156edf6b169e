#include "analyses/attention_window.hpp"

#include "analyses/attention_targets.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
constexpr Index block = 256;

/// Softmax over the lags 0..m of every query m at once. With e(s) = exp(a(s)), Z_m = sum_{s<=m} e(s):
/// mass(s) = e(s) sum_{m>=s} 1/Z_m is the expected number of times that lag s is attended to. Scores whose largest exceeds
/// that of lag 0 by more than 600, where Z_0 would underflow, count as infinitely bad: the set without them is convex and holds
/// 0 and the optimum, whose best lag is 0.
struct AllQueries {
  std::vector<double> e, norm, mass;
  double log_norms = 0;  // sum_m ln Z_m
  explicit AllQueries(std::span<const double> a) : e(a.size()), norm(a.size()), mass(a.size()) {
    const double top = *std::max_element(a.begin(), a.end());
    if (!(top - a[0] <= 600)) {
      log_norms = std::numeric_limits<double>::infinity();
      return;
    }
    double sum = 0;
    for (std::size_t s = 0; s < a.size(); ++s) {
      sum += e[s] = std::exp(a[s] - top);
      norm[s] = sum;
      log_norms += std::log(sum) + top;
    }
    double reciprocals = 0;
    for (std::size_t s = a.size(); s-- > 0;) reciprocals += 1 / norm[s], mass[s] = e[s] * reciprocals;
  }
};

double value_of(std::span<const double> a, std::span<const double> counts) {
  double sum = AllQueries(a).log_norms;
  if (std::isinf(sum)) return sum;
  for (std::size_t s = 0; s < a.size(); ++s) sum -= counts[s] * a[s];
  return sum;
}

/// Rows by lag: Hessian T (Phi^T diag(mass) Phi - sum_m mu_m mu_m^T) + I, mu_m = sum_{s<=m} e(s) phi(s) / Z_m.
struct ByLag : math::ConvexFunction {
  const Matrix& phi;
  std::vector<double> counts;
  double T;
  ByLag(const ScoreSpace& space, double width, double T)
      : phi(space.by_lag()), counts(window_counts(width, space.length())), T(T) {}
  Eigen::Index size() const override { return phi.cols(); }

  std::vector<double> scores(const VectorXd& c) const {
    std::vector<double> a(static_cast<std::size_t>(phi.rows()));
    const VectorXd product = phi * c;
    std::copy_n(product.data(), product.size(), a.begin());
    return a;
  }
  double value(const VectorXd& c) const override { return T * value_of(scores(c), counts) + c.squaredNorm() / 2; }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    const AllQueries q(scores(c));
    const Index p = size(), L = phi.rows();
    gradient = c;
    hessian = MatrixXd::Identity(p, p);
    MatrixXd weighted(p, block), mean(p, block);
    VectorXd running = VectorXd::Zero(p);
    for (Index first = 0; first < L; first += block) {
      const Index n = std::min(block, L - first);
      for (Index i = 0; i < n; ++i) {
        const auto s = static_cast<std::size_t>(first + i);
        const auto row = phi.row(first + i).transpose();
        gradient += T * (q.mass[s] - counts[s]) * row;
        weighted.col(i) = std::sqrt(q.mass[s]) * row;
        running += q.e[s] * row;
        mean.col(i) = running / q.norm[s];
      }
      hessian.selfadjointView<Eigen::Lower>().rankUpdate(weighted.leftCols(n), T);
      hessian.selfadjointView<Eigen::Lower>().rankUpdate(mean.leftCols(n), -T);
    }
  }
};

/// Classes that are intervals of lags, in order. With E_c(m) = sum of e over the lags of c up to m, the sum of mu_m mu_m^T is
/// E_c sum_m E_d(m) / Z_m^2 for c < d: no row is formed.
struct ByClass : math::ConvexFunction {
  const std::vector<Index>& column;
  std::vector<double> counts;
  Index classes;
  double T;
  ByClass(const ScoreSpace& space, double width, double T)
      : column(space.column_of_lag()), counts(window_counts(width, space.length())), classes(space.size()), T(T) {}
  Eigen::Index size() const override { return classes; }

  std::vector<double> scores(const VectorXd& c) const {
    std::vector<double> a(column.size());
    for (std::size_t s = 0; s < a.size(); ++s) a[s] = c[column[s]];
    return a;
  }
  double value(const VectorXd& c) const override { return T * value_of(scores(c), counts) + c.squaredNorm() / 2; }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    const AllQueries q(scores(c));
    gradient = c;
    VectorXd mass = VectorXd::Zero(classes), whole = mass, cross = mass, square = mass;
    for (std::size_t s = 0; s < column.size(); ++s) {
      const Index d = column[s];
      gradient[d] += T * (q.mass[s] - counts[s]);
      mass[d] += q.mass[s];
      whole[d] += q.e[s];  // E_d(m) at m = s, the last query inside the class so far
      const double share = whole[d] / q.norm[s];
      cross[d] += share / q.norm[s], square[d] += share * share;
    }
    double later = 0;  // sum of 1 / Z_m^2 over queries beyond the class
    for (std::size_t s = column.size(); s-- > 0;) {
      const Index d = column[s];
      if (s + 1 == column.size() || column[s + 1] != d) cross[d] += whole[d] * later, square[d] += whole[d] * whole[d] * later;
      later += 1 / (q.norm[s] * q.norm[s]);
    }
    hessian.resize(classes, classes);
    for (Index a = 0; a < classes; ++a)
      for (Index b = a; b < classes; ++b) hessian(b, a) = a == b ? 1 + T * (mass[a] - square[a]) : -T * whole[a] * cross[b];
  }
};

/// Rows by query, weight T L / (number of queries) each.
struct ByQuery : math::ConvexFunction {
  const std::vector<QueryRows>& queries;
  std::vector<double> target;  // e^{-s/w}
  Index columns;
  double T;
  ByQuery(const ScoreSpace& space, double width, double T)
      : queries(space.by_query()), target(window_weights(width, space.length())), columns(space.size()), T(T * space.weight()) {}
  Eigen::Index size() const override { return columns; }

  struct Softmax {
    VectorXd p, wanted;
    double cross_entropy;
    Softmax(const VectorXd& a, const std::vector<double>& target)
        : p(a.size()), wanted(Eigen::Map<const VectorXd>(target.data(), a.size())) {
      wanted /= wanted.sum();
      const double top = a.maxCoeff();
      p = (a.array() - top).exp();
      const double norm = p.sum();
      p /= norm;
      cross_entropy = std::log(norm) + top - wanted.dot(a);
    }
  };
  double value(const VectorXd& c) const override {
    double sum = 0;
    for (const QueryRows& q : queries) sum += Softmax(q.rows * c, target).cross_entropy;
    return T * sum + c.squaredNorm() / 2;
  }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    gradient = c;
    hessian = MatrixXd::Identity(columns, columns);
    for (const QueryRows& q : queries) {
      const Softmax s(q.rows * c, target);
      gradient += T * (q.rows.transpose() * (s.p - s.wanted));
      const VectorXd mean = q.rows.transpose() * s.p;
      const MatrixXd weighted = q.rows.transpose() * s.p.cwiseSqrt().asDiagonal();
      hessian.selfadjointView<Eigen::Lower>().rankUpdate(weighted, T);
      hessian.selfadjointView<Eigen::Lower>().rankUpdate(mean, -T);
    }
  }
};

}  // namespace

math::Minimum fit_window(const ScoreSpace& space, double width, double observations) {
  if (!space.column_of_lag().empty()) return newton_minimum(ByClass(space, width, observations));
  if (!space.by_query().empty()) return newton_minimum(ByQuery(space, width, observations));
  return newton_minimum(ByLag(space, width, observations));
}

double window_value(std::span<const double> scores, double width, double observations) {
  return observations * value_of(scores, window_counts(width, static_cast<Pos>(scores.size())));
}

}  // namespace posenc::analyses
