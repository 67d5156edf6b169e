#pragma once
// model: what one head's score and logits say about the lag, for every form: at one query where they depend on it, as mean and
// deviation over queries for tables, and as moments over content.
#include "model/encoding.hpp"

#include <memory>
#include <span>

namespace posenc::model {

/// Positions first .. first + count - 1; lags 0 .. count - 1.
struct Positions {
  Pos first = 0, count = 0;
  Pos last() const { return first + count - 1; }
};

/// Where the key of a lag stands: n = m - lag, or n = m + lag.
enum class Keys { before, after };

/// Logits at some lags under q ~ N(0, I), k = rho q + sqrt(1 - rho^2) e, e ~ N(0, I): mean = rho slope + offset,
/// variance = v0 + rho v1 + rho^2 v2. Tables: x_m, x_n in place of q, k, W = I.
struct LogitMoments {
  std::vector<double> slope, offset, v0, v1, v2;
  explicit LogitMoments(std::size_t lags) : slope(lags), offset(lags), v0(lags), v1(lags), v2(lags) {}
  double mean(std::size_t i, double rho) const { return rho * slope[i] + offset[i]; }
  double deviation(std::size_t i, double rho) const;
};

/// Mean and mean square of each term of the logit, in the order of Terms::names, over inputs x ~ N(0, I) after the scheme's own
/// scaling and weights W ~ N(0, 1/D) of their own for queries and keys, and over the pairs of positions at the lag where the
/// positions' own part varies among them.
struct TermMoments {
  static constexpr std::size_t terms = 6;
  std::array<std::vector<double>, terms> mean, square;
  explicit TermMoments(std::size_t lags) {
    for (auto* of : {&mean, &square}) of->fill(std::vector<double>(lags));
  }
};

/// Of one head. Rotations, biases, relative vectors: the query is the last position (keys after it: the first, where the score
/// depends on more than the lag). Tables: all pairs of the positions at that lag. Position maps applied. Lags are consecutive
/// from `first` on, 0 <= lag < positions.count. Functions are parallel, with the same bits for any number of threads, but
/// depend on the blocks in which they are asked. The encoding must outlive it.
class LagStatistics {
 public:
  virtual ~LagStatistics() = default;

  /// Rotary kappa_A; table mean of p_m.p_n / r^2, r^2 the mean of (|p_m|^2 + |p_n|^2) / 2 over the same pairs; untied tables and
  /// biases in logits; relative vectors the term without content, in logits; no term: 0. Absolute error 1e-14 (rotary, sinusoidal
  /// tables: times the squared attention factor), else that of the scheme's own values.
  virtual void score(Pos first, std::span<double> out) const = 0;
  /// Population deviation of the score over queries (tables); over content of unit variance, independent between the two
  /// tokens, of the terms in which a relative vector meets it (same token at lag 0). 0 elsewhere.
  virtual void spread(Pos first, std::span<double> out) const;
  /// Logits of the aligned model: rotary logit_scale d kappa_A, table sqrt(D) score, else score; biases beside another form
  /// added; -inf where the key is masked.
  virtual void aligned(Pos first, std::span<double> out) const = 0;
  virtual void moments(Pos first, LogitMoments& out) const = 0;
  /// Of an encoding with one form, biases beside it allowed. Closed forms, relative error 1e-13 of each square.
  virtual void terms(Pos first, TermMoments& out) const = 0;
};

/// Whether the score has a part without content: false for relative vectors that only meet queries and keys.
bool has_content_free_score(const Encoding& e);

/// Why there are none, in words; empty where there are.
std::string no_lag_statistics(const Encoding& e, Positions positions);
/// Throws std::logic_error where no_lag_statistics has a reason.
std::unique_ptr<LagStatistics> lag_statistics(const Encoding& e, Index head, Positions positions, Keys keys = Keys::before);

}  // namespace posenc::model
