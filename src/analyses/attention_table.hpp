#pragma once
// analyses: attention windows of heads on an absolute table computed at every position: a(m, n) = p_m^T C p_n.
#include "analyses/extrapolation_setting.hpp"

namespace posenc::analyses {

/// Rows are scaled so that the mean of |p|^2 over training positions is 1; C, width x width, lives in the span of those rows
/// (numerical rank at 1e-13 of the largest eigenvalue of their Gram), where the optimum is.
class TableScores {
 public:
  TableScores(const ExtrapolationSetting& setting, Index most_queries);
  Index rank() const { return basis_.cols(); }
  Index training_queries() const { return static_cast<Index>(queries_.size()); }

  /// argmin of T sum_m KL(p*_{w,m} || softmax_{s<=m} p_m^T C p_{m-s}) + |C|^2 / 2 by Newton steps whose equations are solved by
  /// preconditioned conjugate gradients, to a squared Newton decrement of 1e-9. Sequential: run one a target.
  Matrix fit_window(double width, double observations) const;
  /// Scores at lags 0..m of query m of the encoding in use. [m + 1]
  std::vector<double> scores(const Encoding& used, Pos m, const Matrix& c) const;

 private:
  Matrix positions(const Encoding& e, Pos first, Pos count) const;  // [count][rank]

  Matrix basis_;  // [width][rank], orthonormal columns
  double scale_ = 1, weight_ = 1;
  std::vector<Pos> queries_;
  Matrix keys_, asked_;  // training positions and training queries, [.][rank]
};

}  // namespace posenc::analyses
