#pragma once
// analyses: the matrix of position scores, of which properties takes its defects.
#include "model/analysis.hpp"

namespace posenc::analyses {

/// Whether the scheme itself, not the model's mask, leaves keys after the query without a score: causal biases and relative
/// vectors, scores made from content, damped rotations.
bool causal_by_itself(const model::Encoding& e);

/// N positions start, start + stride, ...
struct Sampled {
  model::Pos start = 0, stride = 1;
  model::Index count = 0;
  model::Pos at(model::Index i) const { return start + stride * i; }
};

/// Position scores of queries and keys at those positions: tables p_m.p_n; untied tables and biases the
/// positional logit alone, no class reset; rotations and relative vectors the logit of one seeded query and key content at every
/// position. Rows are computed in parallel.
model::Matrix position_scores(const model::Encoding& e, model::Index head, const Sampled& p, std::int64_t seed);

/// sqrt(mean over diagonals of the population variance along the diagonal) / rms of the matrix; `lower`: diagonals and elements
/// with n <= m only. 0 / 0 is NaN.
double translation_defect(const model::Matrix& m, bool lower);
/// |M - M^T| / |M|, Frobenius.
double symmetry_defect(const model::Matrix& m);
/// sqrt of E|M - M^T|^2 / E|M|^2 of a rotation over independent query and key content.
double symmetry_defect_expected(const model::Encoding& e, model::Index head, const Sampled& p);

/// Largest singular value of the rotation of any of the positions, minus 1.
double norm_defect(const model::Encoding& e, model::Index head, const Sampled& p);

/// max |attention(P x) - P attention(x)| of one seeded head without causal mask over N positions, P a seeded permutation.
double permutation_defect(const model::Encoding& e, model::Index head, model::Pos start, model::Index N, std::int64_t seed);

}  // namespace posenc::analyses
