#pragma once
// model: how far two rotations of the same channels part.
#include "model/encoding.hpp"

namespace posenc::model {

struct RotationGap {
  Index channel = -1;     // that parts fastest, -1: none does
  double speed = 0;       // of it: turns per position between the two, 0 .. 1/2
  Index quarter_off = 0;  // channels that are a quarter turn off, or more, at some position of those asked for
  Index turning = 0;      // channels that turn in at least one of the two
  /// (A_b / A_a)^2 f_b / f_a, f = logit_scale sqrt(head): what becomes of the scores of channels that turn in both.
  double score_ratio = 1;

  /// First position at which a channel is a quarter turn off; 2^53 where none is before.
  Pos quarter_turn_at() const;
};

/// Of text on plain positions 0 .. last by the first head's frequencies; an encoding without rotation turns no channel.
/// Sides are told apart by |difference| of the turns per position, exact to 2^-52.
RotationGap rotation_gap(const Encoding& a, const Encoding& b, Pos last);

}  // namespace posenc::model
