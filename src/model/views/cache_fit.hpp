#pragma once
// model: how a table of cosines and sines was computed from known frequencies, and where it departs from that.
#include "model/views/cache_recipes.hpp"
#include "model/views/observe.hpp"
#include "model/views/stored.hpp"

namespace posenc::model {

/// Rows of an array under one reading, and what they would be: amplitude times cosine and sine of position times frequency.
struct Cached {
  const Matrix* rows;
  const Observed* reading;
  std::vector<Frequency> frequency;  // one a pair of the reading
  double amplitude = 1;
  Stored stored;
};

/// The recipe under which the rows come nearest.
struct CacheFit {
  const CacheRecipe* recipe = nullptr;
  std::vector<Frequency> used;  // frequencies as rounded, each moved by as many units as its columns ask for
  int units = 0;                // most units in the last place of the recipe's format that one was moved
  double score = 0;             // mean of |difference| / amplitude, of at most 0.05 each, over rows looked at
};

/// Looks at 256 rows at most: the first, the last and those between, the worst sixteenth left out. Of recipes that come equally
/// near the simplest.
CacheFit fit(const Cached& c);
/// The same by 64 rows, frequencies rounded and not moved.
CacheFit quick_fit(const Cached& c);
/// The same with exact values alone.
CacheFit exact_fit(const Cached& c);

/// Sums over all rows of value times exact cosine or sine, of their squares, and of the values' squares.
struct Overlap {
  double product = 0, square = 0, all = 0;
};
Overlap overlap(const Cached& c);

struct Departure {
  double residual = 0;  // largest |difference|, and where
  Index row = 0, column = 0;
  bool departs = false;  // an element is further off than the tolerance; the first, row by row:
  Index first_row = 0, first_column = 0;
  Index rows_agreeing = 0;
  bool to_the_bit = false;
  bool by_bound = false;  // the tolerance is what float32 can lose in all (2e-6 of the angle), not the storage format's rounding
};

/// Compares every row. An element departs beyond two units in the last place of the storage format at the amplitude (four of
/// float32, sixteen of float64: their cosines differ between libraries); where more than one row of fifty does, and float32 as a
/// whole explains half of those, beyond what it can lose. `exempt`: positions whose row is zero by the encoding.
Departure departure(const Cached& c, const CacheFit& f, const std::vector<Pos>& exempt);

}  // namespace posenc::model
