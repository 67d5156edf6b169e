#pragma once
// schemes: rotations whose angles are summed from the tokens (Selective RoPE).
#include "model/encoding.hpp"

namespace posenc::schemes {

/// Rows of x cut into `heads` equal parts, each divided by sqrt(its squares' sum + 1e-6).
model::Matrix unit_parts(const model::Matrix& x, model::Index heads);

/// out(t, j) = temperature(j) sum_{u <= t} gate(u, .) (offset + sum_tap kernel(tap, j) phi(u - tap, j)), phi 0 before the first
/// token; phi [token][pair], kernel [tap][pair], tap 0 the token itself; gate [token][1] or [token][pair], empty: 1. rad.
model::Matrix running_angles(const model::Matrix& phi, const model::Matrix& kernel, const model::Matrix& gate, double offset,
                             const model::Vector& temperature);

/// q_m^T R(angle_m)^T R(angle_n) k_n of half-split pairs (j, j + d/2), keys not after the query; later ones keep q.k.
model::Matrix selectively_rotated_scores(const model::Matrix& q, const model::Matrix& k, const model::Matrix& angles);

}  // namespace posenc::schemes
