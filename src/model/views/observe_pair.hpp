#pragma once
// model: one sinusoid read out of two columns of an array.
#include "model/encoding.hpp"

namespace posenc::model {

/// A cosine and a sine that turn steadily from row to row.
struct Turning {
  double length = 0;       // mean of the rows, outliers apart
  double theta = 0;        // rad per row
  double uncertainty = 0;  // of theta, by the scatter and by rounding
  double phase = 0;        // of row 0
  double noise = 0;        // of the phase
};

/// The columns `cosine` and `sine` of rows in which at least four of five keep their common length to 2 % and the median of the
/// turns over 1, 2, 4 ... rows goes on; empty where they do not. Rows that are off do not matter. `unit`: spacing of the stored
/// numbers near 1. Frequencies of exact rows to 1e-15 / rows. Needs two rows.
std::optional<Turning> turning(const Matrix& rows, Index cosine, Index sine, double unit);

/// The angle less whole turns, in [-pi, pi].
double wrapped(double angle);
/// Of at least one number.
double median(std::vector<double> values);
/// The mean of those within eight times the median distance from their median: outliers do not move it, nor does rounding of the
/// sum.
double settled_mean(const std::vector<double>& values);

}  // namespace posenc::model
