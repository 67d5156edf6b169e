#pragma once
// model: the lag statistics and draws of each form, behind lag_statistics() and logit_draws(). For source files of views.
#include "model/views/lag_statistics.hpp"
#include "model/views/spectrum.hpp"

namespace posenc::model {

/// The pairs of one head's lags, with what every form shares.
class LagPairs {
 public:
  LagPairs(const Encoding& e, Index head, Positions positions, Keys keys);

  /// Query and key of a lag, before and after the position map.
  std::array<Pos, 2> pair(Pos lag) const;
  std::array<Pos, 2> mapped(Pos lag) const;
  /// Adds the bias terms at lags first .. to out. Parallel.
  void add_bias(Pos first, std::span<double> out) const;
  /// Sets out to -inf where the key is masked.
  void mask(Pos first, std::span<double> out) const;
  /// The query scale of the last position, 1 without.
  double query_scale() const;
  double scale() const { return encoding_.logit_scale * query_scale(); }
  double head_dim() const { return static_cast<double>(encoding_.head_dim); }
  double width() const { return static_cast<double>(encoding_.width ? encoding_.width : encoding_.head_dim); }
  /// E[(x W_q Z W_k^T y)^2] = scale^2 |Z|^2 for independent tokens; one token on both sides, at lag 0, has E|x|^4 = D^2 (1 + 2/D).
  double content(Pos lag, double norm) const { return scale() * scale() * norm * (lag == 0 ? 1 + 2 / width() : 1); }
  /// cc of every lag, and the biases on top of the moments of pp.
  void add_common(Pos first, TermMoments& out) const;

 protected:
  const Encoding& encoding_;
  Index head_;
  Positions positions_;
  Keys keys_;

 private:
  bool by_lag_;
};

using StatisticsPointer = std::unique_ptr<LagStatistics>;
StatisticsPointer rotary_lags(const Encoding& e, Index head, Positions positions, Keys keys);
StatisticsPointer table_lags(const Encoding& e, Index head, Positions positions, Keys keys);
StatisticsPointer untied_lags(const Encoding& e, Index head, Positions positions, Keys keys);
StatisticsPointer relative_lags(const Encoding& e, Index head, Positions positions, Keys keys);

/// A rotation between query m and key n takes pair j of a key to (a k_a - b k_b, b k_a + a k_b) before it meets the query:
/// a = A^2 w cos((m - n) t + u), b = -A^2 w sin((m - n) t + u), u the turn of the head's queries, or the products of the two
/// positions' own rotations. Hyperbolic pairs: to (a k_a + b k_b, b k_a + a k_b), a = A^2 w cosh((m - n) t), b with sinh. a, b
/// [pair].
void relative_rotation(const Encoding& e, const Rotary& r, Index head, Pos m, Pos n, double* a, double* b);

/// Rows of a table at positions first .. first + count - 1.
Matrix rows_at(const AbsoluteTable& table, Pos first, Index count);

/// The vectors of one side of one head at consecutive lags, whose mapped pairs `pair` gives: [count][d]; through the content's
/// own weights: [count][1], the length |p| of the row.
Matrix relative_vectors(const RelativeVectors& r, const RelativeVectors::Side& side, Index head, Pos first, Index count,
                        const std::function<std::array<Pos, 2>(Pos lag)>& pair);

/// (p_m U_q + b_q) and (p_m U_k + b_k) of one head at every position, [positions][d].
void untied_products(const Encoding& e, Index head, Positions p, Matrix& query, Matrix& key);

/// Sum of products in a fixed order, whatever the addresses.
double dot(const double* a, const double* b, Index size);

}  // namespace posenc::model
