#pragma once
// schemes: scores along a path of reflections (PaTH).
#include "model/encoding.hpp"

namespace posenc::schemes {

/// out(m, n) = q_m^T H_m H_{m-1} .. H_{n+1} k_n for n <= m, q_m.k_n above; H_t = I - beta_t w_t w_t^T, rows w_t of unit length.
model::Matrix reflected_scores(const model::Matrix& q, const model::Matrix& k, const model::Matrix& w, const model::Vector& beta);

}  // namespace posenc::schemes
