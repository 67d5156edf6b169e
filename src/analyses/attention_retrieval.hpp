#pragma once
// analyses: one matching key at lag s, evenly from 0..m, among m keys that do not match: how often attention misses it.
#include "analyses/attention_scores.hpp"
#include "math/newton.hpp"

#include <functional>
#include <span>

namespace posenc::analyses {

/// At most 256 queries of 1..L-1.
std::vector<Pos> retrieval_queries(Pos length);

/// Rotations: the match scores phi . c, all others 0. argmin over c of
///   T sum_m (1/(m+1)) sum_{s<=m} ln(1 + m e^{-phi.c}) + |c|^2 / 2. Parallel.
math::Minimum fit_match(const ScoreSpace& space, double observations);
/// mean over the lags 0..m of m / (m + e^{a(s)}), m = scores.size() - 1.
double match_error(std::span<const double> scores);

/// Additive positions: the match scores a constant c against 0, the coefficients of positions being 0, and against the biases
/// b(m, s) where they are fixed: argmin over c of T sum_m (1/(m+1)) sum_{s<=m} ln(1 + O_m(s) e^{-c}) + c^2 / 2,
/// O_m(s) = e^{-b(s)} sum_{u != s} e^{b(u)}.
struct ConstantMatch {
  double score = 0, value = 0;
};
/// biases(m) are those of query m, lags 0..m; empty function: none.
using Biases = std::function<std::vector<double>(Pos query)>;
ConstantMatch fit_constant_match(Pos length, const Biases& biases, double observations);
double constant_match_error(double score, Pos query, const Biases& biases);

}  // namespace posenc::analyses
