#pragma once
// model: where a table of cosines and sines departs from what its frequencies and its arithmetic make of it.
#include "model/views/cache_fit.hpp"

#include <functional>

namespace posenc::model {

/// Rows of the array behind those in memory.
struct LaterRows {
  Index count = 0;
  /// Rows first .. first + count - 1 of them, with the columns of those in memory.
  std::function<Matrix(Index first, Index count)> read;
};

struct Departure {
  double residual = 0;  // largest |difference|, and where
  Index row = 0, column = 0;
  bool departs = false;  // an element is further off than the tolerance; the first, row by row:
  Index first_row = 0, first_column = 0;
  Index rows_agreeing = 0;
  bool to_the_bit = false;
  bool by_bound = false;  // the tolerance is what float32 can lose in all (2e-6 of the angle), not the storage format's rounding
  bool few = false;       // rows depart, at most two or one of fifty
};

/// Compares every row, those behind the ones in memory by blocks. An element departs beyond two units in the last place of the
/// storage format at the amplitude (four of float32, sixteen of float64: their cosines differ between libraries); where more than
/// one row of fifty does, and float32 as a whole explains half of those, beyond what it can lose. `exempt`: positions whose row
/// is zero by the encoding. Throws where a stop was requested.
Departure departure(const Cached& c, const CacheFit& f, const std::vector<Pos>& exempt, const LaterRows& later = {});

}  // namespace posenc::model
