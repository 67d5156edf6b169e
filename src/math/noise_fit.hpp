#pragma once
// math: fits of cosines and sines to white noise with the solvers that people use, and how they run away beyond the data.
#include "math/turn.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace posenc::math {

/// normal_f32: features, Phi^T Phi and an LU solution in float32, angles float32(s) float32(t); normal_f64: the same in float64
/// with exact phases; svd: pseudoinverse, singular values below 2^-52 of the largest dropped; ridge: (Phi^T Phi + r I)^-1 Phi^T
/// y.
enum class FitSolver : int { normal_f32, normal_f64, svd, ridge };

struct NoiseFits {
  std::vector<double> largest;      // of each draw, max |a(s)| over rows <= s < 2 rows
  std::vector<double> curve, data;  // of draw 0: a(s), s < 2 rows, and the noise it was fitted to, s < rows
};

/// y ~ N(0, 1) at s = 0 .. rows - 1, `draws` times (stream "noise-fit" of the seed, draw d uses numbers d rows on). What a solver
/// makes of a singular system depends on its rounding: sizes are reproducible on one machine and build, and in distribution
/// elsewhere. The system of ridge is regular for r > 0: relative error 1e-16 rows / r.
NoiseFits fit_noise(std::span<const Turn> frequency, std::int64_t rows, FitSolver solver, double ridge, std::int64_t draws,
                    std::uint64_t seed);

}  // namespace posenc::math
