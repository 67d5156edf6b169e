#include "analyses/extrapolation_fit.hpp"

#include "math/parallel.hpp"

#include <cmath>
#include <limits>
#include <set>

namespace posenc::analyses {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<Pos> training_queries(Pos length, bool by_query) {
  if (!by_query) return {length - 1};
  const std::set<Pos> queries{length / 4, length / 2, 3 * length / 4, length - 1};
  return {queries.begin(), queries.end()};
}

}  // namespace

bool same_space(const Features& a, const Features& b) {
  const auto *x = std::get_if<DenseFeatures>(&a.form), *y = std::get_if<DenseFeatures>(&b.form);
  return x && y ? x->size == y->size : a.form.index() == b.form.index();
}

ScoreFit::ScoreFit(const ExtrapolationSetting& setting, const Features& trained, double noise_variance)
    : setting_(setting), noise_(noise_variance), queries_(training_queries(setting.length, trained.by_query)) {
  for (const Pos m : queries_) {
    if (!setting_.trained.visible) {
      observed_ += m + 1;
      continue;
    }
    for (Pos n = 0; n <= m; ++n) observed_ += setting_.visible(setting_.trained, m, n);
  }
  if (const auto* dense = std::get_if<DenseFeatures>(&trained.form))
    fit_dense(*dense);
  else
    fit_classes(std::get<ClassFeatures>(trained.form));
  measure_training(trained);
}

void ScoreFit::fit_dense(const DenseFeatures& phi) {
  std::vector<Pos> start;  // first design row of each query
  Pos rows = 0;
  for (const Pos m : queries_) start.push_back(rows), rows += m + 1;
  const auto design = [&](std::int64_t first, std::int64_t count, double* out) {
    for (std::size_t q = 0; q < queries_.size(); ++q) {
      const Pos low = std::max(first, start[q]), high = std::min(first + count, start[q] + queries_[q] + 1);
      if (low >= high) continue;
      Eigen::Map<Matrix> block(out + (low - first) * phi.size, high - low, phi.size);
      phi.fill({queries_[q], low - start[q], high - low}, block);
      for (Pos i = 0; i < high - low && setting_.trained.visible; ++i)
        if (!setting_.visible(setting_.trained, queries_[q], queries_[q] - (low - start[q] + i))) block.row(i).setZero();
    }
  };
  ridge_.emplace(phi.size, rows, design, noise_, observed_);
}

void ScoreFit::fit_classes(const ClassFeatures& phi) {
  for (const Pos m : queries_)
    for (Pos n = 0; n <= m; ++n)
      if (setting_.visible(setting_.trained, m, n)) ++met_[phi.of(m, n)];
}

void ScoreFit::measure_training(const Features& phi) {
  double sum = 0, squares = 0;
  for (const Pos m : queries_) {
    std::vector<double> gain(static_cast<std::size_t>(m + 1));
    within_.resize(gain.size());
    evaluate(setting_.trained, phi, {m, 0, m + 1}, within_.data(), gain.data());
    for (std::size_t i = 0; i < gain.size(); ++i)
      if (!std::isnan(within_[i])) sum += within_[i], squares += gain[i] * gain[i];
  }
  mean_within_ = sum / static_cast<double>(observed_);
  gain_within_ = std::sqrt(squares / static_cast<double>(observed_));
}

void ScoreFit::evaluate(const Encoding& e, const Features& phi, const Pairs& pairs, double* undetermined, double* gain) const {
  math::parallel_blocks(pairs.count, math::Ridge::block, [&](std::int64_t first, std::int64_t count) {
    const Pos lag = pairs.first_lag + first;
    if (const auto* dense = std::get_if<DenseFeatures>(&phi.form)) {
      Matrix rows(count, dense->size);
      dense->fill({pairs.query, lag, count}, rows);
      ridge_->evaluate(count, rows.data(), undetermined + first, gain + first);
    } else {
      const auto& classes = std::get<ClassFeatures>(phi.form);
      const auto times_met = [&](Pos number) {
        const auto at = met_.find(number);
        return at == met_.end() ? 0.0 : static_cast<double>(at->second);
      };
      for (std::int64_t i = 0; i < count; ++i) {
        const Pos n = pairs.query - lag - i, number = classes.of(pairs.query, n);
        const double next = classes.next_share ? classes.next_share(pairs.query, n) : 0;
        double left = 0, squares = 0, all = 0;  // of phi^T (1 + N/s2)^-1 phi, |phi^T (N + s2)^-1 Phi^T|^2, |phi|^2
        for (const auto& [c, weight] : {std::pair{number, 1 - next}, std::pair{number + 1, next}}) {
          if (weight == 0) continue;
          const double met = times_met(c), square = weight * weight;
          left += square / (1 + met / noise_), squares += square * met / ((met + noise_) * (met + noise_)), all += square;
        }
        undetermined[first + i] = left / all;
        gain[first + i] = std::sqrt(squares);
      }
    }
    for (std::int64_t i = 0; i < count && e.visible; ++i)
      if (!setting_.visible(e, pairs.query, pairs.query - lag - i)) undetermined[first + i] = gain[first + i] = nan;
  });
}

}  // namespace posenc::analyses
