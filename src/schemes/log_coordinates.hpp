#pragma once
// schemes: the continuous bias of log-spaced coordinates that Swin V2 makes its table of.
#include "model/encoding.hpp"

namespace posenc::schemes {

/// sign(r) log2(1 + 8|r|)/log2(8) of r = offset/(pretrained - 1); pretrained >= 2. Error 2 ulp.
double log_coordinate(model::Pos offset, model::Pos pretrained);

struct LogCoordinateBias {
  model::Matrix w1;  // [unit][row, column]
  model::Vector b1;  // [unit]
  model::Matrix w2;  // [head][unit]

  /// 16 sigmoid(W2 relu(W1 c + b1)), [(dy + M - 1)(2M - 1) + dx + M - 1][head], for offsets within a window of side M.
  model::Matrix table(model::Pos window, model::Pos pretrained) const;
};

}  // namespace posenc::schemes
