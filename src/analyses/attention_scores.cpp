#include "analyses/attention_scores.hpp"

#include "analyses/attention_targets.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::analyses {
namespace {

constexpr Index block = 256;

double squares(const Matrix& m) {
  double sum = 0;
  for (Index i = 0; i < m.size(); ++i) sum += m.data()[i] * m.data()[i];
  return sum;
}

/// Every column's lags are an interval, in order.
bool intervals(const std::vector<Index>& column) {
  for (std::size_t s = 1; s < column.size(); ++s)
    if (column[s] < column[s - 1] || column[s] > column[s - 1] + 1) return false;
  return column.front() == 0;
}

}  // namespace

ScoreSpace::ScoreSpace(const ExtrapolationSetting& setting, Index head, Index most_queries) : setting_(setting) {
  const Pos L = setting.length;
  const Features phi = features(setting.trained, head, Temperature::included);
  const bool lags = lag_alone(setting.trained, phi);
  const std::vector<Pos> queries = lags ? std::vector<Pos>{L - 1} : analyses::training_queries(0, L - 1, most_queries);
  if (const auto* dense = std::get_if<DenseFeatures>(&phi.form)) {
    dropped_ = setting.traits.kind == Kind::bias && dense->size == 2;
    size_ = dense->size - dropped_;
  } else {
    number_classes(std::get<ClassFeatures>(phi.form), queries);
    if (lags) {
      for (Pos s = 0; s < L; ++s) column_.push_back(class_column_.at(std::get<ClassFeatures>(phi.form).of(L - 1, L - 1 - s)));
      if (intervals(column_)) return;
      column_.clear();
    }
  }
  double sum = 0, pairs = 0;
  for (const Pos m : queries) {
    by_query_.push_back({m, rows(setting.trained, phi, {m, 0, m + 1})});
    sum += squares(by_query_.back().rows), pairs += static_cast<double>(m + 1);
  }
  scale_ = sum > 0 ? std::sqrt(pairs / sum) : 1;
  for (QueryRows& q : by_query_) q.rows *= scale_;
  weight_ = static_cast<double>(L) / static_cast<double>(queries.size());
  if (!lags) return;
  by_lag_ = std::move(by_query_.front().rows);
  by_query_.clear();
  weight_ = 1;
}

void ScoreSpace::number_classes(const ClassFeatures& phi, const std::vector<Pos>& queries) {
  for (const Pos m : queries)
    for (Pos s = 0; s <= m; ++s) class_column_.try_emplace(phi.of(m, m - s), static_cast<Index>(class_column_.size()));
  size_ = static_cast<Index>(class_column_.size());
}

Matrix ScoreSpace::rows(const Encoding& e, const Features& phi, const Pairs& pairs) const {
  Matrix out = Matrix::Zero(pairs.count, size_);
  if (const auto* dense = std::get_if<DenseFeatures>(&phi.form)) {
    Matrix all(pairs.count, dense->size);
    dense->fill(pairs, all);
    out = all.rightCols(size_);
  } else {
    const auto& of = std::get<ClassFeatures>(phi.form).of;
    for (Index i = 0; i < pairs.count; ++i) {
      const auto at = class_column_.find(of(pairs.query, pairs.query - pairs.first_lag - i));
      if (at != class_column_.end()) out(i, at->second) = 1;
    }
  }
  out *= scale_ * (e.query_scale ? e.query_scale(pairs.query) : 1.0);
  return out;
}

Matrix ScoreSpace::scores(const Encoding& e, const Features& phi, Pos m, Pos count, const Matrix& c) const {
  Matrix out(count, c.cols());
  math::parallel_blocks(count, block, [&](std::int64_t first, std::int64_t n) {
    if (const auto* classes = std::get_if<ClassFeatures>(&phi.form)) {
      const double scale = scale_ * (e.query_scale ? e.query_scale(m) : 1.0);
      for (Index i = first; i < first + n; ++i) {
        const auto at = class_column_.find(classes->of(m, m - i));
        if (at == class_column_.end())
          out.row(i).setZero();
        else
          out.row(i) = scale * c.row(at->second);
      }
      return;
    }
    const Matrix part = rows(e, phi, {m, first, n}) * c;
    out.middleRows(first, n) = part;
  });
  return out;
}

}  // namespace posenc::analyses
