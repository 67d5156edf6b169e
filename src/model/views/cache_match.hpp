#pragma once
// model: a table as the cache of a rotation: its columns are the cosines and sines of the pairs.
#include "model/views/difference.hpp"

namespace posenc::model {

struct CacheMatch {
  std::string columns;                  // "cosines, every pair twice in halves"
  Pos rows = 0;                         // compared: positions of the request that the table has
  std::vector<ArrayDifference> arrays;  // cos and sin, those that the table holds, by position, pair and column
};

/// The reading of the columns that comes nearest at the first 64 positions, compared at every row: cosines or sines with one
/// column a pair, or two behind each other or side by side; or both, behind each other or alternating. Nothing for rotations by
/// head or of hyperbolic pairs, and where the number of columns is neither that of the pairs nor twice as many.
std::optional<CacheMatch> match_cache(const AbsoluteTable& table, const Encoding& e, const Rotary& r, const Request& request,
                                      double tolerance);

}  // namespace posenc::model
