#pragma once
// model: rotary encodings and sinusoidal tables as a sum of cosines of the lag.
#include "model/encoding.hpp"
#include "model/views/traits.hpp"

#include <span>

namespace posenc::model {

/// One head's P pairs, pass-through pairs last with turn 0 and amplitude 1 (rotary), or the channel pairs of a table.
/// kappa(s) = (1/P) sum_j w_j(s) cos(s t_j), w_j(s) = e^{log_damping_j s};
/// kappa_A(s) = (1/P) sum_j amplitude_j^2 w_j(s) cos(s t_j).
struct Spectrum {
  std::vector<math::Turn> turn;
  std::vector<double> theta;  // rad per position
  std::vector<double> amplitude;
  std::vector<double> log_damping;  // empty: none
  Index rotated = 0;                // pairs that are not pass-through
  Index pairs() const { return static_cast<Index>(turn.size()); }
  double constant_share() const;  // kappa_0, share of pairs with turn 0
};

/// Of a rotary head on plain text positions (all coordinates equal), or of a sinusoidal table; empty for every other encoding,
/// for mixed spectra, position-dependent frequencies and hyperbolic pairs. Position maps and grids are not part of it: ask
/// `lag_of`. A turn of the head's queries is none either: kappa compares positions; the head's scores are in lag_statistics().
std::optional<Spectrum> spectrum(const Encoding& e, Index head);

/// The lag at which the spectrum is taken for query m and key n (the position map applied), absent for a grid of points,
/// which has none.
std::optional<Pos> lag_of(const Encoding& e, Pos m, Pos n);

/// kappa, kappa_A and 1 - kappa at consecutive lags; fast and parallel. Errors: math/cosine_sum.hpp.
void kappa(const Spectrum& s, Pos first_lag, std::span<double> out);
void kappa_amplified(const Spectrum& s, Pos first_lag, std::span<double> out);
void one_minus_kappa(const Spectrum& s, Pos first_lag, std::span<double> out);

}  // namespace posenc::model
