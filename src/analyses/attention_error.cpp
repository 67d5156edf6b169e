#include "analyses/attention_error.hpp"

#include "analyses/attention_heads.hpp"
#include "analyses/attention_rows.hpp"
#include "analyses/attention_scores.hpp"
#include "analyses/attention_targets.hpp"

#include <algorithm>

namespace posenc::analyses {
namespace {

bool fixed(const Encoding& e) {
  const auto* b = form<Bias>(e);
  return b && !b->free;
}
bool learned_table(const ExtrapolationSetting& s) {
  return s.traits.kind == Kind::table && std::holds_alternative<ClassFeatures>(features(s.trained, 0).form);
}

std::unique_ptr<AttentionHeads> heads_of(const ExtrapolationSetting& s, double observations) {
  if (fixed(s.trained)) return fixed_heads(s, observations);
  if (learned_table(s)) return learned_table_heads(s, observations);
  return s.traits.kind == Kind::table ? table_heads(s, observations) : free_heads(s, observations);
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
  if (learned_table(s))
    if (plan.reason = untrained_rows(s); !plan.reason.empty()) return plan;

  const double L = static_cast<double>(s.length), longest = static_cast<double>(s.longest());
  const double targets = static_cast<double>(window_widths(s.length).size()), steps = 8, tests = 16 * targets * longest * 20;
  const double heads = phi.shared_by_heads ? 1 : static_cast<double>(s.heads);
  if (fixed(s.trained)) return {"", tests + heads * L * (256 + targets) * 20};
  if (learned_table(s)) return {"", tests + (1 + static_cast<double>(s.factor.size())) * 32 * targets * steps * L * 60};
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
  const std::unique_ptr<AttentionHeads> heads = heads_of(setting, observations);
  AttentionErrors out;
  out.training_queries = heads->training_queries();
  out.window_in = heads->window(setting.trained, setting.length);
  const double match_in = heads->match(setting.trained, setting.length);
  for (std::size_t f = 0; f < setting.factor.size(); ++f) {
    out.window.push_back(heads->window(setting.used[f], setting.sequence[f]) - out.window_in);
    out.retrieval.push_back(heads->match(setting.used[f], setting.sequence[f]) - match_in);
  }
  return out;
}

}  // namespace posenc::analyses
