#pragma once
// analyses: the nearest position when distance is a function of the lag.
#include "model/encoding.hpp"

namespace posenc::analyses {

/// Met with the distances of lags 0, 1, ... in order, it answers for each position m of 0 .. count - 1: the position n with
/// |m - n| >= guard of least distance; distances within math::lag_tie of the least are ties, of which the smallest n is taken.
/// Memory: the lags that were nearest so far, ties included.
class NearestLags {
 public:
  /// No guard: no answers.
  explicit NearestLags(std::optional<model::Pos> guard) : guard_(guard) {}
  void meet(model::Pos lag, double distance);

  struct Answer {
    model::Pos position;
    double distance;
  };
  /// Lags below `count` have been met.
  std::optional<Answer> of(model::Pos m, model::Pos count) const;

 private:
  struct Near {
    model::Pos lag;
    double distance, least;  // least: of all lags from the guard to this one
  };
  std::optional<model::Pos> guard_;
  std::vector<Near> near_;  // lags within a tie of the least so far
};

}  // namespace posenc::analyses
