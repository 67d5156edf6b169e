#pragma once
// model: sinusoids read out of the rows of an array: frequency, amplitude and first position of each pair of columns.
#include "model/recogniser.hpp"

namespace posenc::model {

/// The columns of one reading, by pair.
struct Observed {
  Observation numbers;
  std::string layout;                 // "sin cos alternating", "sines before cosines", ...
  std::vector<Index> cosine, sine;    // columns
  Pos start = 0;                      // position of the first row
};

/// Readings of rows [positions][columns] at consecutive positions under which every pair keeps its amplitude to 2 % and turns
/// forwards: pairs of columns that alternate or lie in halves, sine or cosine first. `halves`: the columns are cosines, then as many
/// sines, either of them with every column once, repeated behind each other or repeated side by side. Frequencies to
/// 1e-15 / positions from exact rows; first positions up to half a turn of the slowest pair. Needs two rows.
std::vector<Observed> observe(const Matrix& rows, bool halves);

}  // namespace posenc::model
