#pragma once
// model: positions as points of a space, and lags as classes: what a perfect reader of the encoding could tell apart.
#include "math/lag_scan.hpp"
#include "model/encoding.hpp"
#include "model/views/spectrum.hpp"

namespace posenc::model {

/// One head's positions as points. Rotary: the row of cosines and sines of every pair, pass-through pairs included, attention
/// factor and damping left out. Table: its row.
struct Points {
  /// Where |p_m - p_n|^2 = 2 |p|^2 (1 - kappa(m - n)): rotary by text positions, sinusoidal tables.
  std::optional<Spectrum> spectrum;
  double constant = 0;  // share of a rotary head's pairs that never turns; 0 for tables
  Index channels = 0;
  std::optional<Pos> count;                                      // number of positions that have a row; absent: all
  std::function<void(Pos first, Eigen::Ref<Matrix> rows)> rows;  // of positions first ..; thread-safe
};
/// Of an encoding whose kind is rotary or table; empty for every other, and for hyperbolic pairs, whose queries and keys shrink
/// and grow without bound.
std::optional<Points> points(const Encoding& e, Index head);
/// The rows of its table, added or untied, whatever else it has; empty without a table.
std::optional<Points> table_points(const Encoding& e);
/// Pairs of weight 1 / P that turn with these frequencies.
Spectrum spectrum_of(const std::vector<Frequency>& frequencies);

/// kappa by lag. Plain spectra: at every lag. With a position map: of query `positions` - 1 and its keys, lags 0 .. positions
/// - 1. Empty without a spectrum.
std::optional<math::LagCurve> lag_curve(const Encoding& e, const Points& p, Pos positions);

/// The frequencies of a head's pairs, pass-through pairs last as 0; of a sinusoidal table; of relative vectors whose row is the
/// lag. Mixed spectra: the frequencies mixed. Empty for every other encoding, and for hyperbolic pairs.
std::vector<Frequency> pair_frequencies(const Encoding& e, Index head);

/// The class of each lag 0 .. lags - 1 at query position lags - 1: rows of relative vectors, buckets, mapped lags, else the
/// biases of all heads (equal to within 1e-14). One number a lag that the scheme itself uses where there is one; else numbered
/// from 0 in order of first lag. Empty where position enters as points (plain rotary, tables) or through content.
std::vector<Pos> lag_classes(const Encoding& e, Pos lags);

/// Sum of the biases of one head for `query` and keys query - first_lag, ... , the position map applied. Parallel.
void bias_by_lag(const Encoding& e, Index head, Pos query, Pos first_lag, std::span<double> out);

}  // namespace posenc::model
