#include "analyses/ambiguity_nearest.hpp"

#include "math/lag_scan.hpp"

#include <algorithm>

namespace posenc::analyses {

using model::Pos;

void NearestLags::meet(Pos lag, double distance) {
  if (!guard_ || lag < *guard_) return;
  const double least = near_.empty() ? distance : std::min(near_.back().least, distance);
  if (distance <= least + math::lag_tie) near_.push_back({lag, distance, least});
}

std::optional<NearestLags::Answer> NearestLags::of(Pos m, Pos count) const {
  const auto beyond = [&](Pos lag) {
    return std::upper_bound(near_.begin(), near_.end(), lag, [](Pos a, const Near& b) { return a < b.lag; });
  };
  const Pos below = m, above = count - 1 - m;  // the largest lags on either side
  const auto end = beyond(std::max(below, above));
  if (end == near_.begin()) return {};
  const double level = std::prev(end)->least + math::lag_tie;
  // The smallest position: the largest tied lag below m, else the smallest one above.
  for (auto at = beyond(below); at != near_.begin();) {
    --at;
    if (at->distance <= level) return Answer{m - at->lag, at->distance};
    if (at->least > level) break;
  }
  const auto first = std::partition_point(near_.begin(), end, [&](const Near& x) { return x.least > level; });
  return Answer{m + first->lag, first->distance};
}

}  // namespace posenc::analyses
