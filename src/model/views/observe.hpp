#pragma once
// model: sinusoids read out of the rows of an array: frequency, amplitude and first position of each pair of columns.
#include "model/recogniser.hpp"

namespace posenc::model {

/// The columns of one reading, by pair.
struct Observed {
  Observation numbers;
  std::string layout;               // "sines before cosines", "half_split, every column twice", ...
  std::vector<Index> cosine, sine;  // columns
  Index again = 0;                  // columns further on each is repeated; 0: it is not
  Pos start = 0;                    // position of the first row
  int step = 1;                     // positions rise or fall by one a row
  bool sine_first = false;

  Pos position(Index row) const { return start + step * static_cast<Pos>(row); }
};

/// Readings of rows [positions][columns] at consecutive positions under which the pairs keep a common amplitude to 2 % and turn
/// one way: pairs of columns that alternate or lie in halves, sine or cosine first, an odd last column left out. `halves`: the
/// columns are cosines, then as many sines, either of them with every column once, repeated behind each other or repeated side
/// by side. `unit`: spacing of the stored numbers near 1. First positions up to half a turn of the slowest pair. Rows that are
/// off, one of five at most, are looked past. Needs two rows.
std::vector<Observed> observe(const Matrix& rows, bool halves, double unit);

/// The column pairs of all layouts that the width allows, whatever the numbers are; nothing observed.
std::vector<Observed> layouts(const Matrix& rows, bool halves);

}  // namespace posenc::model
