#include "analyses/attention_error.hpp"

#include "analyses/attention_retrieval.hpp"
#include "analyses/attention_table.hpp"
#include "analyses/attention_targets.hpp"
#include "analyses/attention_window.hpp"
#include "math/parallel.hpp"
#include "model/views/lag_statistics.hpp"

#include <algorithm>
#include <numeric>

namespace posenc::analyses {
namespace {

constexpr Index queries_by_pair = 128;  // training queries where phi depends on the query
constexpr Index queries_of_table = 256;

bool fixed(const Encoding& e) {
  const auto* b = form<Bias>(e);
  return b && !b->free;
}

/// The biases of a head at lags 0..m of query m.
std::vector<double> biases_at(const Encoding& e, Index head, Pos m) {
  std::vector<double> out(static_cast<std::size_t>(m + 1));
  lag_statistics(e, head, {0, m + 1})->score(0, out);
  return out;
}

/// Encoding at each length: index 0 as trained at L, then each length in use.
struct Lengths {
  const ExtrapolationSetting& s;
  std::size_t size() const { return s.factor.size() + 1; }
  const Encoding& encoding(std::size_t i) const { return i == 0 ? s.trained : s.used[i - 1]; }
  Pos sequence(std::size_t i) const { return i == 0 ? s.length : s.sequence[i - 1]; }
};

/// Scores of one target at a query, lags 0..m.
using TargetScores = std::function<std::vector<double>(std::size_t target, Pos m)>;

double mean_window_distance(Pos sequence, const std::vector<double>& widths, const TargetScores& scores) {
  const std::vector<Pos> queries = test_queries(sequence);
  std::vector<double> distance(widths.size() * queries.size());
  math::parallel_for(static_cast<std::int64_t>(widths.size()), [&](std::int64_t target) {
    const auto t = static_cast<std::size_t>(target);
    const std::vector<double> weights = window_weights(widths[t], sequence);
    for (std::size_t j = 0; j < queries.size(); ++j)
      distance[t * queries.size() + j] =
          window_distance({weights.data(), static_cast<std::size_t>(queries[j] + 1)}, scores(t, queries[j]));
  });
  return std::accumulate(distance.begin(), distance.end(), 0.0) / static_cast<double>(distance.size());
}

double mean_over_queries(Pos sequence, const std::function<double(Pos m)>& error) {
  double sum = 0;
  for (const Pos m : test_queries(sequence)) sum += error(m);
  return sum / 16;
}

void differences(const std::vector<double>& at_length, std::vector<double>& out) {
  for (std::size_t i = 1; i < at_length.size(); ++i) out.push_back(at_length[i] - at_length[0]);
}

// --------------------------------------------------------------------------------------------- heads with coefficients

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

class FreeHeads {
 public:
  FreeHeads(const ExtrapolationSetting& setting, double observations)
      : setting_(setting), widths_(window_widths(setting.length)) {
    best_.resize(widths_.size());
    const bool shared = features(setting.trained, 0).shared_by_heads;
    for (Index head = 0; head < (shared ? 1 : setting.heads); ++head) {
      spaces_.push_back(std::make_unique<ScoreSpace>(setting, head, queries_by_pair));
      math::parallel_for(static_cast<std::int64_t>(widths_.size()), [&](std::int64_t target) {
        const auto t = static_cast<std::size_t>(target);
        math::Minimum fit = fit_window(*spaces_.back(), widths_[t], observations);
        if (head == 0 || fit.value < best_[t].fit.value) best_[t] = {head, std::move(fit)};
      });
      if (setting.traits.kind != Kind::rotary) continue;
      math::Minimum match = fit_match(*spaces_.back(), observations);
      if (head == 0 || match.value < match_.fit.value) match_ = {head, std::move(match)};
    }
  }
  Index training_queries() const { return spaces_.front()->training_queries(); }

  double window(const Encoding& e, Pos sequence) const {
    std::vector<std::vector<Matrix>> scores(widths_.size());  // [target], one column each
    for (std::size_t t = 0; t < widths_.size(); ++t)
      scores[t] = scores_in_use(*spaces_[static_cast<std::size_t>(best_[t].head)], e, best_[t].head, sequence, best_[t].fit.x);
    const std::vector<Pos> queries = test_queries(sequence);
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return column(scores[t], queries, m); });
  }
  double match(const Encoding& e, Pos sequence) const {
    const std::vector<Matrix> scores =
        scores_in_use(*spaces_[static_cast<std::size_t>(match_.head)], e, match_.head, sequence, match_.fit.x);
    const std::vector<Pos> queries = test_queries(sequence);
    return mean_over_queries(sequence, [&](Pos m) { return match_error(column(scores, queries, m)); });
  }

 private:
  static std::vector<double> column(const std::vector<Matrix>& scores, const std::vector<Pos>& queries, Pos m) {
    const auto j = static_cast<std::size_t>(std::find(queries.begin(), queries.end(), m) - queries.begin());
    const Matrix& all = scores.size() == 1 ? scores[0] : scores[j];
    return {all.data(), all.data() + m + 1};
  }

  const ExtrapolationSetting& setting_;
  std::vector<double> widths_;
  std::vector<std::unique_ptr<ScoreSpace>> spaces_;
  std::vector<BestHead> best_;
  BestHead match_;
};

// ------------------------------------------------------------------------------------------------------- fixed biases

class FixedHeads {
 public:
  FixedHeads(const ExtrapolationSetting& setting, double observations) : widths_(window_widths(setting.length)) {
    best_.assign(widths_.size(), 0);
    std::vector<double> least(widths_.size());
    double least_match = 0;
    for (Index head = 0; head < setting.heads; ++head) {
      const std::vector<double> b = biases_at(setting.trained, head, setting.length - 1);
      math::parallel_for(static_cast<std::int64_t>(widths_.size()), [&](std::int64_t target) {
        const auto t = static_cast<std::size_t>(target);
        const double value = window_value(b, widths_[t], observations);
        if (head == 0 || value < least[t]) least[t] = value, best_[t] = head;
      });
      const ConstantMatch m = fit_constant_match(
          setting.length, [&](Pos query) { return biases_at(setting.trained, head, query); }, observations);
      if (head == 0 || m.value < least_match) least_match = m.value, match_head_ = head, match_score_ = m.score;
    }
  }
  double window(const Encoding& e, Pos sequence) const {
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return biases_at(e, best_[t], m); });
  }
  double match(const Encoding& e, Pos sequence) const {
    return mean_over_queries(sequence, [&](Pos m) {
      return constant_match_error(match_score_, m, [&](Pos query) { return biases_at(e, match_head_, query); });
    });
  }

 private:
  std::vector<double> widths_;
  std::vector<Index> best_;
  Index match_head_ = 0;
  double match_score_ = 0;
};

/// Tables: windows by a bilinear score.
class TableHeads {
 public:
  TableHeads(const ExtrapolationSetting& setting, double observations)
      : widths_(window_widths(setting.length)), scores_(setting, queries_of_table), fit_(widths_.size()) {
    math::parallel_for(static_cast<std::int64_t>(widths_.size()), [&](std::int64_t target) {
      const auto t = static_cast<std::size_t>(target);
      fit_[t] = scores_.fit_window(widths_[t], observations);
    });
  }
  Index training_queries() const { return scores_.training_queries(); }
  double window(const Encoding& e, Pos sequence) const {
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return scores_.scores(e, m, fit_[t]); });
  }

 private:
  std::vector<double> widths_;
  TableScores scores_;
  std::vector<Matrix> fit_;
};

template <class Heads>
void window_errors(const Lengths& lengths, const Heads& heads, AttentionErrors& out) {
  std::vector<double> at;
  for (std::size_t i = 0; i < lengths.size(); ++i) at.push_back(heads.window(lengths.encoding(i), lengths.sequence(i)));
  out.window_in = at[0];
  differences(at, out.window);
}

template <class Error>
void retrieval_errors(const Lengths& lengths, const Error& error, AttentionErrors& out) {
  std::vector<double> at;
  for (std::size_t i = 0; i < lengths.size(); ++i) at.push_back(error(lengths.encoding(i), lengths.sequence(i)));
  differences(at, out.retrieval);
}

}  // namespace

AttentionErrorPlan plan_attention_error(const ExtrapolationSetting& s) {
  const Kind kind = s.traits.kind;
  AttentionErrorPlan plan;
  if (s.length < 2) return {"the training length is one position", 0};
  if (s.trained.linear) return {"linear attention has no softmax", 0};
  if (plan.reason = no_features(s.trained); !plan.reason.empty()) return plan;
  for (const Encoding& used : s.used)
    if (used.visible || s.trained.visible) return {"keys are masked beyond causality", 0};
  if (s.traits.has_bias && kind != Kind::bias) return {"a bias stands beside another form", 0};
  const Features phi = features(s.trained, 0);
  const auto* dense = std::get_if<DenseFeatures>(&phi.form);
  if (kind == Kind::table && !dense) return {"positions beyond the last row are refused", 0};

  const double L = static_cast<double>(s.length), longest = static_cast<double>(s.longest());
  const double targets = static_cast<double>(window_widths(s.length).size()), steps = 8, tests = 16 * targets * longest * 20;
  const double heads = phi.shared_by_heads ? 1 : static_cast<double>(s.heads);
  if (fixed(s.trained)) return {"", tests + heads * L * (256 + targets) * 20};
  if (kind == Kind::table) {
    const double D = static_cast<double>(dense->size);
    return {"", tests + targets * steps * 60 * 8 * std::min(L, static_cast<double>(queries_of_table)) * D * (D + L)};
  }
  const bool by_lag = ScoreSpace::lag_alone(s.trained, phi);
  if (!dense) {
    const double classes = std::min(L, 1e4);  // an upper bound
    std::vector<Pos> met;
    for (Pos lag = 0; lag < s.length; ++lag)
      met.push_back(std::get<ClassFeatures>(phi.form).of(s.length - 1, s.length - 1 - lag));
    std::sort(met.begin(), met.end());
    const double p = std::min(classes, static_cast<double>(std::unique(met.begin(), met.end()) - met.begin()));
    return {"", tests + targets * steps * (p * p * p / 3 + L * 40)};
  }
  const double p = static_cast<double>(dense->size);
  const double rows = by_lag ? L : std::min(L, static_cast<double>(queries_by_pair)) * L / 2;
  return {"", tests + heads * targets * steps * (2 * rows * p * p + rows * 40) +
                  static_cast<double>(s.factor.size()) * longest * p * targets * 2};
}

AttentionErrors attention_errors(const ExtrapolationSetting& setting, double observations) {
  const Lengths lengths{setting};
  AttentionErrors out;
  out.training_queries = static_cast<Index>(setting.length);
  if (fixed(setting.trained)) {
    const FixedHeads heads(setting, observations);
    window_errors(lengths, heads, out);
    retrieval_errors(
        lengths, [&](const Encoding& e, Pos n) { return heads.match(e, n); }, out);
    return out;
  }
  if (setting.traits.kind == Kind::table) {
    const TableHeads heads(setting, observations);
    out.training_queries = heads.training_queries();
    window_errors(lengths, heads, out);
  } else {
    const FreeHeads heads(setting, observations);
    out.training_queries = heads.training_queries();
    window_errors(lengths, heads, out);
    if (setting.traits.kind == Kind::rotary) {
      retrieval_errors(
          lengths, [&](const Encoding& e, Pos n) { return heads.match(e, n); }, out);
      return out;
    }
  }
  const ConstantMatch match = fit_constant_match(setting.length, nullptr, observations);
  retrieval_errors(
      lengths,
      [&](const Encoding&, Pos n) {
        return mean_over_queries(n, [&](Pos m) { return constant_match_error(match.score, m, nullptr); });
      },
      out);
  return out;
}

}  // namespace posenc::analyses
