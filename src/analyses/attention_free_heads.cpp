#include "analyses/attention_heads.hpp"
#include "analyses/attention_scores.hpp"
#include "analyses/attention_targets.hpp"
#include "analyses/attention_window.hpp"
#include "math/parallel.hpp"

#include <algorithm>

namespace posenc::analyses {
namespace {

struct BestHead {
  Index head = 0;
  math::Minimum fit;
};

/// For every length, scores [lag][column of c] at each test query; one matrix serves all queries where the lag decides.
std::vector<Matrix> scores_in_use(const ScoreSpace& space, const Encoding& e, Index head, Pos sequence, const Matrix& c) {
  const Features phi = features(e, head, Temperature::included);
  if (ScoreSpace::lag_alone(e, phi)) return {space.scores(e, phi, sequence - 1, sequence, c)};
  std::vector<Matrix> out;
  for (const Pos m : test_queries(sequence)) out.push_back(space.scores(e, phi, m, m + 1, c));
  return out;
}

std::vector<double> column(const std::vector<Matrix>& scores, const std::vector<Pos>& queries, Pos m) {
  const auto j = static_cast<std::size_t>(std::find(queries.begin(), queries.end(), m) - queries.begin());
  const Matrix& all = scores.size() == 1 ? scores[0] : scores[j];
  return {all.data(), all.data() + m + 1};
}

class FreeHeads : public AttentionHeads {
 public:
  FreeHeads(const ExtrapolationSetting& setting, double observations)
      : rotary_(setting.traits.kind == Kind::rotary), widths_(window_widths(setting.length)) {
    best_.resize(widths_.size());
    const bool shared = features(setting.trained, 0).shared_by_heads;
    for (Index head = 0; head < (shared ? 1 : setting.heads); ++head) {
      spaces_.push_back(std::make_unique<ScoreSpace>(setting, head, queries_by_pair));
      math::parallel_for(static_cast<std::int64_t>(widths_.size()), [&](std::int64_t target) {
        const auto t = static_cast<std::size_t>(target);
        math::Minimum fit = fit_window(*spaces_.back(), widths_[t], observations);
        if (head == 0 || fit.value < best_[t].fit.value) best_[t] = {head, std::move(fit)};
      });
      if (!rotary_) continue;
      math::Minimum match = fit_match(*spaces_.back(), observations);
      if (head == 0 || match.value < match_.fit.value) match_ = {head, std::move(match)};
    }
    if (!rotary_) constant_ = fit_constant_match(setting.length, nullptr, observations);
  }
  Index training_queries() const override { return spaces_.front()->training_queries(); }

  double window(const Encoding& e, Pos sequence) const override {
    std::vector<std::vector<Matrix>> scores(widths_.size());  // [target], one column each
    for (std::size_t t = 0; t < widths_.size(); ++t) scores[t] = scores_of(best_[t], e, sequence);
    const std::vector<Pos> queries = test_queries(sequence);
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return column(scores[t], queries, m); });
  }
  double match(const Encoding& e, Pos sequence) const override {
    if (!rotary_) return mean_constant_match_error(constant_, sequence);
    const std::vector<Matrix> scores = scores_of(match_, e, sequence);
    const std::vector<Pos> queries = test_queries(sequence);
    return mean_over_queries(sequence, [&](Pos m) { return match_error(column(scores, queries, m)); });
  }

 private:
  std::vector<Matrix> scores_of(const BestHead& best, const Encoding& e, Pos sequence) const {
    return scores_in_use(*spaces_[static_cast<std::size_t>(best.head)], e, best.head, sequence, best.fit.x);
  }

  bool rotary_;  // positions multiply the content: the match has coefficients of its own
  std::vector<double> widths_;
  std::vector<std::unique_ptr<ScoreSpace>> spaces_;
  std::vector<BestHead> best_;
  BestHead match_;
  ConstantMatch constant_;
};

}  // namespace

std::unique_ptr<AttentionHeads> free_heads(const ExtrapolationSetting& setting, double observations) {
  return std::make_unique<FreeHeads>(setting, observations);
}

}  // namespace posenc::analyses
