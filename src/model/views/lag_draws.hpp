#pragma once
// model: seeded draws of one head's logits against the lag, under the content of LogitMoments.
#include "model/views/lag_statistics.hpp"

namespace posenc::model {

/// Draw i at a lag: logit = rho x + sqrt(1 - rho^2) y + z. Matrices are [lag][draw].
struct LogitParts {
  Matrix x, y, z;
};

class LogitDraws {
 public:
  virtual ~LogitDraws() = default;
  /// Parallel; same bits for any number of threads. A draw is a function of the seed and its number alone.
  virtual LogitParts parts(std::span<const Pos> lags) const = 0;
  /// x and y are the same at every lag and z the same in every draw.
  virtual bool shifts_only() const { return false; }
};

/// Keys before the query. Tables with rows of their own: the query of each draw is drawn evenly from the pairs at the lag;
/// sinusoidal tables, whose pairs are all alike: the last position. Vectors through the content's own weights are drawn as
/// N(0, |p|^2 / D) a channel, independently of the content. The encoding must outlive it.
std::unique_ptr<LogitDraws> logit_draws(const Encoding& e, Index head, Positions positions, Index draws, std::uint64_t seed);

}  // namespace posenc::model
