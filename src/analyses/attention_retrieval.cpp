#include "analyses/attention_retrieval.hpp"

#include "analyses/attention_targets.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::analyses {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

double softplus(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }
double logistic(double x) { return 1 / (1 + std::exp(-x)); }

double weight_of(Pos length, std::size_t queries) {
  return length > 257 ? static_cast<double>(length) / static_cast<double>(queries) : 1.0;
}

/// Rows by lag: every query sees a prefix of the same scores.
struct MatchByLag : math::ConvexFunction {
  const Matrix& phi;
  std::vector<Pos> queries;
  double T;
  MatchByLag(const ScoreSpace& space, double T)
      : phi(space.by_lag()), queries(retrieval_queries(space.length())), T(T * weight_of(space.length(), queries.size())) {}
  Eigen::Index size() const override { return phi.cols(); }

  /// Loss, slope and curvature of each lag's score, summed over the queries that see it.
  void by_lag(const VectorXd& c, VectorXd& loss, VectorXd& slope, VectorXd& curvature) const {
    const VectorXd a = phi * c;
    loss = slope = curvature = VectorXd::Zero(a.size());
    math::parallel_blocks(a.size(), 64, [&](std::int64_t first, std::int64_t count) {
      for (const Pos m : queries) {
        const double log_m = std::log(static_cast<double>(m)), share = 1 / static_cast<double>(m + 1);
        for (std::int64_t s = first; s < std::min<Pos>(first + count, m + 1); ++s) {
          const double x = log_m - a[s], miss = logistic(x);
          loss[s] += share * softplus(x), slope[s] -= share * miss, curvature[s] += share * miss * (1 - miss);
        }
      }
    });
  }
  double value(const VectorXd& c) const override {
    VectorXd loss, slope, curvature;
    by_lag(c, loss, slope, curvature);
    return T * loss.sum() + c.squaredNorm() / 2;
  }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    VectorXd loss, slope, curvature;
    by_lag(c, loss, slope, curvature);
    gradient = T * (phi.transpose() * slope) + c;
    const MatrixXd weighted = phi.transpose() * curvature.cwiseSqrt().asDiagonal();
    hessian = MatrixXd::Identity(size(), size());
    hessian.selfadjointView<Eigen::Lower>().rankUpdate(weighted, T);
  }
};

/// Rows by query.
struct MatchByQuery : math::ConvexFunction {
  const std::vector<QueryRows>& queries;
  Index columns;
  double T;
  MatchByQuery(const ScoreSpace& space, double T) : queries(space.by_query()), columns(space.size()), T(T * space.weight()) {}
  Eigen::Index size() const override { return columns; }

  static void losses(const QueryRows& q, const VectorXd& c, VectorXd& loss, VectorXd& slope, VectorXd& curvature) {
    const VectorXd a = q.rows * c;
    const double log_m = std::log(static_cast<double>(q.query)), share = 1 / static_cast<double>(q.query + 1);
    loss = slope = curvature = a;
    for (Index s = 0; s < a.size(); ++s) {
      const double x = log_m - a[s], miss = logistic(x);
      loss[s] = share * softplus(x), slope[s] = -share * miss, curvature[s] = share * miss * (1 - miss);
    }
  }
  double value(const VectorXd& c) const override {
    double sum = 0;
    VectorXd loss, slope, curvature;
    for (const QueryRows& q : queries)
      if (q.query > 0) losses(q, c, loss, slope, curvature), sum += loss.sum();
    return T * sum + c.squaredNorm() / 2;
  }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    gradient = c;
    hessian = MatrixXd::Identity(columns, columns);
    VectorXd loss, slope, curvature;
    for (const QueryRows& q : queries) {
      if (q.query == 0) continue;
      losses(q, c, loss, slope, curvature);
      gradient += T * (q.rows.transpose() * slope);
      const MatrixXd weighted = q.rows.transpose() * curvature.cwiseSqrt().asDiagonal();
      hessian.selfadjointView<Eigen::Lower>().rankUpdate(weighted, T);
    }
  }
};

/// ln O_m(s) at s = 0..m; -inf where no other key has weight.
std::vector<double> log_odds(Pos m, const Biases& biases) {
  if (!biases) return std::vector<double>(static_cast<std::size_t>(m + 1), std::log(static_cast<double>(m)));
  std::vector<double> b = biases(m);
  const double top = *std::max_element(b.begin(), b.end());
  double sum = 0;
  for (const double x : b) sum += std::exp(x - top);
  for (double& x : b) x = std::log(std::max(sum - std::exp(x - top), 0.0)) + top - x;
  return b;
}

struct ConstantLoss : math::ConvexFunction {
  std::vector<std::vector<double>> odds;  // a query each; one entry stands for equal ones
  double T;
  ConstantLoss(Pos length, const Biases& biases, double observations) {
    const std::vector<Pos> queries = retrieval_queries(length);
    for (const Pos m : queries)
      odds.push_back(biases ? log_odds(m, biases) : std::vector<double>{std::log(static_cast<double>(m))});
    T = observations * weight_of(length, queries.size());
  }
  Eigen::Index size() const override { return 1; }
  double value(const VectorXd& c) const override {
    double sum = 0;
    for (const auto& query : odds) {
      double loss = 0;
      for (const double x : query) loss += softplus(x - c[0]);
      sum += loss / static_cast<double>(query.size());
    }
    return T * sum + c[0] * c[0] / 2;
  }
  void derivatives(const VectorXd& c, VectorXd& gradient, MatrixXd& hessian) const override {
    gradient = c;
    hessian = MatrixXd::Identity(1, 1);
    for (const auto& query : odds) {
      double slope = 0, curvature = 0;
      for (const double x : query) {
        const double miss = logistic(x - c[0]);
        slope -= miss, curvature += miss * (1 - miss);
      }
      gradient[0] += T * slope / static_cast<double>(query.size());
      hessian(0, 0) += T * curvature / static_cast<double>(query.size());
    }
  }
};

}  // namespace

std::vector<Pos> retrieval_queries(Pos length) { return training_queries(1, length - 1, 256); }

math::Minimum fit_match(const ScoreSpace& space, double observations) {
  if (!space.by_query().empty()) return newton_minimum(MatchByQuery(space, observations));
  return newton_minimum(MatchByLag(space, observations));
}

double match_error(std::span<const double> scores) {
  const double log_m = std::log(static_cast<double>(scores.size()) - 1);
  double sum = 0;
  for (const double a : scores) sum += logistic(log_m - a);
  return sum / static_cast<double>(scores.size());
}

ConstantMatch fit_constant_match(Pos length, const Biases& biases, double observations) {
  const math::Minimum best = newton_minimum(ConstantLoss(length, biases, observations));
  return {best.x[0], best.value};
}

double constant_match_error(double score, Pos query, const Biases& biases) {
  if (!biases) return logistic(std::log(static_cast<double>(query)) - score);
  double sum = 0;
  for (const double x : log_odds(query, biases)) sum += logistic(x - score);
  return sum / static_cast<double>(query + 1);
}

}  // namespace posenc::analyses
