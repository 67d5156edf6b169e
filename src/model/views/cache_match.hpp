#pragma once
// model: a table as the cache of a rotation: its columns are the cosines and sines of the pairs.
#include "model/views/difference.hpp"

namespace posenc::model {

struct CacheMatch {
  std::string columns;                  // "cosines, every pair twice in halves"
  Pos rows = 0;                         // compared: positions of the request that the table has
  std::vector<ArrayDifference> arrays;  // cos and sin, those that the table holds, by position, pair and column
  /// Columns of each pair where the table has every pair twice; empty where it has one column a pair of a kind, which fixes no
  /// layout of channels.
  std::vector<std::array<Index, 2>> channels;
};

/// Cosines or sines with one column a pair, or two behind each other or side by side; or both, behind each other or alternating.
/// The table alone decides which: by the row of position 0, and by which columns are equal; where that row is no rotation's, the
/// reading that is nearest to this one. Compared at every row. Nothing for rotations by
/// head or of hyperbolic pairs, and where the number of columns is neither that of the pairs nor twice as many.
std::optional<CacheMatch> match_cache(const AbsoluteTable& table, const Encoding& e, const Rotary& r, const Request& request,
                                      double tolerance);

}  // namespace posenc::model
