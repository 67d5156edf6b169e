#pragma once
// analyses: one head's score as a linear function of coefficients, a(m, n) = phi(m, n) . c, at training and in use.
#include "analyses/extrapolation_setting.hpp"
#include "model/views/features.hpp"

#include <map>

namespace posenc::analyses {

struct QueryRows {
  Pos query = 0;
  Matrix rows;  // [query + 1][size], by lag
};

/// phi of the encoding as trained, attention factors included, scaled so that the mean of |phi|^2 over training lags (over all
/// training pairs where phi depends on the query) is 1; the same factor in use. Classes are unit vectors, one column a class
/// that training met. The constant beside a bias's only other column is left out: it cancels in the softmax.
class ScoreSpace {
 public:
  /// `most_queries` bounds the training queries where phi depends on the query.
  ScoreSpace(const ExtrapolationSetting& setting, Index head, Index most_queries);

  Index size() const { return size_; }
  Pos length() const { return setting_.length; }
  double weight() const { return weight_; }  // of a training query
  Index training_queries() const {
    return by_query_.empty() ? static_cast<Index>(setting_.length) : static_cast<Index>(by_query_.size());
  }

  /// One of three: rows by lag [L][size], the column of each lag (classes, each an interval of lags), or rows by query.
  const Matrix& by_lag() const { return by_lag_; }
  const std::vector<Index>& column_of_lag() const { return column_; }
  const std::vector<QueryRows>& by_query() const { return by_query_; }

  /// Scores [lags 0 .. count - 1][columns of c] of the encoding at query m: its features times c, times its query scale.
  /// Parallel.
  Matrix scores(const Encoding& e, const Features& phi, Pos m, Pos count, const Matrix& c) const;
  /// Scores of the encoding depend on the lag alone.
  static bool lag_alone(const Encoding& e, const Features& phi) { return !phi.by_query && !e.query_scale; }

 private:
  Matrix rows(const Encoding& e, const Features& phi, const Pairs& pairs) const;
  void number_classes(const ClassFeatures& phi, const std::vector<Pos>& queries);

  const ExtrapolationSetting& setting_;
  Index size_ = 0, dropped_ = 0;
  double scale_ = 1, weight_ = 1;
  std::map<Pos, Index> class_column_;
  Matrix by_lag_;
  std::vector<Index> column_;
  std::vector<QueryRows> by_query_;
};

}  // namespace posenc::analyses
