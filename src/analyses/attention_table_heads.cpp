#include "analyses/attention_heads.hpp"
#include "analyses/attention_rows.hpp"
#include "analyses/attention_table.hpp"
#include "analyses/attention_targets.hpp"
#include "math/parallel.hpp"

namespace posenc::analyses {
namespace {

class TableHeads : public AttentionHeads {
 public:
  TableHeads(const ExtrapolationSetting& setting, double observations)
      : widths_(window_widths(setting.length)),
        scores_(setting, queries_of_table),
        fit_(widths_.size()),
        match_(fit_constant_match(setting.length, nullptr, observations)) {
    math::parallel_for(static_cast<std::int64_t>(widths_.size()), [&](std::int64_t target) {
      const auto t = static_cast<std::size_t>(target);
      fit_[t] = scores_.fit_window(widths_[t], observations);
    });
  }
  Index training_queries() const override { return scores_.training_queries(); }
  double window(const Encoding& e, Pos sequence) const override {
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return scores_.scores(e, m, fit_[t]); });
  }
  double match(const Encoding&, Pos sequence) const override { return mean_constant_match_error(match_, sequence); }

 private:
  std::vector<double> widths_;
  TableScores scores_;
  std::vector<Matrix> fit_;
  ConstantMatch match_;
};

class LearnedTableHeads : public AttentionHeads {
 public:
  LearnedTableHeads(const ExtrapolationSetting& setting, double observations)
      : length_(setting.length),
        widths_(window_widths(setting.length)),
        rows_(setting, observations),
        match_(fit_constant_match(setting.length, nullptr, observations)) {}
  Index training_queries() const override { return static_cast<Index>(length_); }
  double window(const Encoding& e, Pos sequence) const override {
    const Features phi = features(e, 0);
    return mean_window_distance(sequence, widths_, [&](std::size_t t, Pos m) { return rows_.scores(e, phi, widths_[t], m); });
  }
  double match(const Encoding&, Pos sequence) const override { return mean_constant_match_error(match_, sequence); }

 private:
  Pos length_;
  std::vector<double> widths_;
  RowScores rows_;
  ConstantMatch match_;
};

}  // namespace

std::unique_ptr<AttentionHeads> table_heads(const ExtrapolationSetting& setting, double observations) {
  return std::make_unique<TableHeads>(setting, observations);
}
std::unique_ptr<AttentionHeads> learned_table_heads(const ExtrapolationSetting& setting, double observations) {
  return std::make_unique<LearnedTableHeads>(setting, observations);
}

}  // namespace posenc::analyses
