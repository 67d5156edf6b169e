#pragma once
// schemes: sines and cosines at positions that are not integers or not in order.
#include "schemes/sinusoid.hpp"

namespace posenc::schemes {

/// A position as integer plus fraction.
struct RealPosition {
  model::Pos whole = 0;
  double fraction = 0;  // in [0, 1)
};
RealPosition split(double position);

/// Row p holds the sines and cosines of positions[p]; even width. Error of a value 1e-15 where the position is exact.
std::shared_ptr<const model::Rows> sinusoid_at(model::Index channels, double base, Columns columns,
                                               std::vector<RealPosition> positions);

}  // namespace posenc::schemes
