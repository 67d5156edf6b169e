#pragma once
// analyses: heads fitted inside the training length, one for each target, and their errors at any length in use.
#include "analyses/attention_retrieval.hpp"
#include "analyses/extrapolation_setting.hpp"

#include <memory>

namespace posenc::analyses {

class AttentionHeads {
 public:
  virtual ~AttentionHeads() = default;
  virtual Index training_queries() const = 0;
  /// Mean total variation between wanted and given attention over windows and test queries of an encoding at a length.
  virtual double window(const Encoding& e, Pos sequence) const = 0;
  /// Mean over test queries and lags of the attention that a match loses to the others.
  virtual double match(const Encoding& e, Pos sequence) const = 0;
};

/// `observations` is T, of each training query. Each target has the head that serves it best.
/// Coefficients of features of the pair: rotations, relative vectors, biases, none.
std::unique_ptr<AttentionHeads> free_heads(const ExtrapolationSetting& setting, double observations);
/// Biases that training cannot change.
std::unique_ptr<AttentionHeads> fixed_heads(const ExtrapolationSetting& setting, double observations);
/// Absolute tables computed at every position, a score p_m^T C p_n; learned tables, a coefficient for each pair of rows.
std::unique_ptr<AttentionHeads> table_heads(const ExtrapolationSetting& setting, double observations);
std::unique_ptr<AttentionHeads> learned_table_heads(const ExtrapolationSetting& setting, double observations);

/// Training queries of features that depend on the query, and of a table computed at every position.
inline constexpr Index queries_by_pair = 128, queries_of_table = 256;

/// The biases of a head at lags 0..m of query m.
std::vector<double> biases_at(const Encoding& e, Index head, Pos m);

/// Scores of one target at a query, lags 0..m. Thread-safe.
using TargetScores = std::function<std::vector<double>(std::size_t target, Pos m)>;
/// Mean over the windows and the 16 test queries. Parallel; same bits for any number of threads.
double mean_window_distance(Pos sequence, const std::vector<double>& widths, const TargetScores& scores);
/// Mean over the 16 test queries.
double mean_over_queries(Pos sequence, const std::function<double(Pos m)>& error);
/// Of a match that scores a constant, no position entering.
double mean_constant_match_error(const ConstantMatch& match, Pos sequence);

}  // namespace posenc::analyses
