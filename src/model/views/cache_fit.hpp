#pragma once
// model: how a table of cosines and sines was computed from known frequencies.
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

}  // namespace posenc::model
