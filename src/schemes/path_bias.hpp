#pragma once
// schemes: biases summed along the path between key and query (GRAPE-AP).
#include "model/encoding.hpp"

namespace posenc::schemes {

/// out(m, n) = slope sum_{t = n+1..m} ln sigmoid(p_m . R_t rms(p_t)/d) for n < m, 0 else; R_t turns pair (i, i + d/2) by -(start
/// + t) turns of frequency[i], rms divides a row by its root mean square. p [position][d], d even.
model::Matrix endpoint_path_bias(const model::Matrix& p, double slope, const std::vector<math::Turn>& frequency,
                                 model::Pos start);

}  // namespace posenc::schemes
