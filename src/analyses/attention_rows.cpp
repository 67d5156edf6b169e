#include "analyses/attention_rows.hpp"

#include "analyses/attention_targets.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::analyses {
namespace {

/// T (ln sum_n e^{c(n)} - p*.c) + |c|^2 / 2.
double value_of(const Eigen::VectorXd& c, const Eigen::VectorXd& wanted, double T) {
  const double top = c.maxCoeff();
  return T * (std::log((c.array() - top).exp().sum()) + top - wanted.dot(c)) + c.squaredNorm() / 2;
}

/// The Hessian is D - T p p^T, D = T diag(p) + 1, so that -H^-1 g = -(x + T y (p.x) / (1 - T p.y)), x = D^-1 g, y = D^-1 p, and
/// 1 - T p.y = sum_n p_n / (T p_n + 1) has no cancellation.
Eigen::VectorXd newton_step(const Eigen::VectorXd& gradient, const Eigen::VectorXd& p, double T) {
  const Eigen::ArrayXd diagonal = T * p.array() + 1;
  const Eigen::VectorXd x = gradient.array() / diagonal, y = p.array() / diagonal;
  return -(x + (T * p.dot(x) / y.sum()) * y);
}

Eigen::VectorXd fit(const Eigen::VectorXd& wanted, double T) {
  Eigen::VectorXd c = Eigen::VectorXd::Zero(wanted.size());
  double value = value_of(c, wanted, T);
  for (int step = 0; step < 1000; ++step) {
    Eigen::VectorXd p = (c.array() - c.maxCoeff()).exp();
    p /= p.sum();
    const Eigen::VectorXd gradient = T * (p - wanted) + c, direction = newton_step(gradient, p, T);
    const double decrement = -gradient.dot(direction);
    double share = 1;
    while (value_of(c + share * direction, wanted, T) > value - 1e-4 * share * decrement + 1e-13 * std::abs(value) &&
           share > 1e-12)
      share /= 2;
    c += share * direction;
    value = value_of(c, wanted, T);
    if (!(decrement > 1e-12)) break;
  }
  return c;
}

struct Mixed {
  Pos row;
  double share;  // of the next row
};
Mixed place(const ClassFeatures& phi, Pos position) {
  return {phi.of(position, 0), phi.next_share ? phi.next_share(position, 0) : 0.0};
}

}  // namespace

std::string untrained_rows(const ExtrapolationSetting& s) {
  const Features trained = features(s.trained, 0);
  const auto& at_training = std::get<ClassFeatures>(trained.form);
  const Pos first = at_training.of(0, 0);
  for (Pos p = 0; p < s.length; ++p)
    if (at_training.of(p, 0) != first + p || place(at_training, p).share > 0)
      return "training positions are not consecutive rows";
  for (std::size_t f = 0; f < s.used.size(); ++f) {
    const Features used = features(s.used[f], 0);
    const auto* in_use = std::get_if<ClassFeatures>(&used.form);
    if (!in_use) return "rows in use are not those of training";
    for (Pos p = 0; p < s.sequence[f]; ++p) {
      const Mixed at = place(*in_use, p);
      if (at.row < first || at.row + (at.share > 0) >= first + s.length)
        return "rows beyond the training length were never trained";
    }
  }
  return {};
}

RowScores::RowScores(const ExtrapolationSetting& setting, double observations)
    : length_(setting.length),
      first_row_(std::get<ClassFeatures>(features(setting.trained, 0).form).of(0, 0)),
      observations_(observations) {}

std::vector<double> RowScores::row(double width, Pos r) const {
  const std::vector<double> weights = window_weights(width, r + 1);
  Eigen::VectorXd wanted = Eigen::Map<const Eigen::VectorXd>(weights.data(), r + 1).reverse();
  wanted /= wanted.sum();
  const Eigen::VectorXd c = fit(wanted, observations_);
  return {c.data(), c.data() + c.size()};
}

std::vector<double> RowScores::scores(const Encoding& used, const Features& phi, double width, Pos m) const {
  const auto& classes = std::get<ClassFeatures>(phi.form);
  const double heat = used.query_scale ? used.query_scale(m) : 1.0;
  std::vector<double> at_row(static_cast<std::size_t>(length_));  // score of the query with each row of the table
  const Mixed query = place(classes, m);
  for (const auto& [row, weight] : {std::pair{query.row, 1 - query.share}, std::pair{query.row + 1, query.share}}) {
    if (weight == 0) continue;
    const std::vector<double> c = this->row(width, row - first_row_);
    for (std::size_t n = 0; n < c.size(); ++n) at_row[n] += heat * weight * c[n];
  }
  std::vector<double> out(static_cast<std::size_t>(m + 1));
  for (Pos n = 0; n <= m; ++n) {
    const Mixed key = place(classes, n);
    const auto k = static_cast<std::size_t>(key.row - first_row_);
    double score = (1 - key.share) * at_row[k];
    if (key.share > 0) score += key.share * at_row[k + 1];
    out[static_cast<std::size_t>(m - n)] = score;
  }
  return out;
}

}  // namespace posenc::analyses
