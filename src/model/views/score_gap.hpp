#pragma once
// model: by how much a key similar to the query scores above a random one, over lags (Men 2024, arXiv 2405.14591).
#include "model/views/spectrum.hpp"

namespace posenc::model {

/// The pairs of a rotation that turn, beyond positions that rotate early; empty where the encoding has no spectrum.
std::optional<Spectrum> turning_pairs(const Encoding& e);

/// out[i] = B(first + i) = sum over the pairs of e^{log_damping s} cos(s t_j). Errors: math/cosine_sum.hpp.
void score_gap(const Spectrum& turning, Pos first, std::span<double> out);

/// First lag below `horizon` at which B is negative by more than rounding; nothing where there is none.
std::optional<Pos> first_negative_lag(const Spectrum& turning, Pos horizon);

}  // namespace posenc::model
