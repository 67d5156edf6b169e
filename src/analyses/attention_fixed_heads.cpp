#include "analyses/attention_heads.hpp"
#include "analyses/attention_targets.hpp"
#include "analyses/attention_window.hpp"
#include "math/parallel.hpp"

namespace posenc::analyses {
namespace {

class FixedHeads : public AttentionHeads {
 public:
  FixedHeads(const ExtrapolationSetting& setting, double observations)
      : length_(setting.length), widths_(window_widths(setting.length)) {
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
  Index training_queries() const override { return static_cast<Index>(length_); }
  double window(const Encoding& e, Pos sequence) const override {
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return biases_at(e, best_[t], m); });
  }
  double match(const Encoding& e, Pos sequence) const override {
    return mean_over_queries(sequence, [&](Pos m) {
      return constant_match_error(match_score_, m, [&](Pos query) { return biases_at(e, match_head_, query); });
    });
  }

 private:
  Pos length_;
  std::vector<double> widths_;
  std::vector<Index> best_;
  Index match_head_ = 0;
  double match_score_ = 0;
};

}  // namespace

std::unique_ptr<AttentionHeads> fixed_heads(const ExtrapolationSetting& setting, double observations) {
  return std::make_unique<FixedHeads>(setting, observations);
}

}  // namespace posenc::analyses
