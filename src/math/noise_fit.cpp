#include "math/noise_fit.hpp"

#include "math/parallel.hpp"
#include "math/phase_table.hpp"
#include "math/random.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/SVD>
#include <cmath>
#include <numbers>

namespace posenc::math {
namespace {

template <class Scalar>
using Dense = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;

/// [count][2 frequencies], cosines before sines.
template <class Scalar>
Dense<Scalar> design(std::span<const Turn> f, std::int64_t count) {
  const auto n = static_cast<Eigen::Index>(f.size());
  Dense<Scalar> out(count, 2 * n);
  parallel_for(n, [&](std::int64_t j) {
    const Turn turn = f[static_cast<std::size_t>(j)];
    if constexpr (std::is_same_v<Scalar, float>) {
      const auto t = static_cast<float>(2 * std::numbers::pi * signed_turns(turn));
      for (Eigen::Index s = 0; s < count; ++s) {
        const float angle = static_cast<float>(s) * t;
        out(s, j) = std::cos(angle), out(s, n + j) = std::sin(angle);
      }
    } else {
      for (Eigen::Index s = 0; s < count; ++s) {
        const Turn at = times(s, turn);
        sincos_turns({&at, 1}, &out(s, j), &out(s, n + j));
      }
    }
  });
  return out;
}

template <class Scalar>
Dense<Scalar> coefficients(const Dense<Scalar>& phi, const Dense<Scalar>& y, FitSolver solver, double ridge) {
  if (solver == FitSolver::svd) {
    Eigen::BDCSVD<Dense<Scalar>> svd(phi, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(0x1p-52);
    return svd.solve(y);
  }
  Dense<Scalar> normal = phi.transpose() * phi;
  const Dense<Scalar> right = phi.transpose() * y;
  if (solver != FitSolver::ridge) return Eigen::PartialPivLU<Dense<Scalar>>(normal).solve(right);
  normal.diagonal().array() += static_cast<Scalar>(ridge);
  return Eigen::LLT<Dense<Scalar>>(normal).solve(right);
}

template <class Scalar>
NoiseFits fit(std::span<const Turn> f, std::int64_t rows, FitSolver solver, double ridge, std::int64_t draws,
              std::uint64_t seed) {
  const Stream stream(seed, "noise-fit");
  Dense<Scalar> y(rows, draws);
  std::vector<double> noise(static_cast<std::size_t>(rows));
  NoiseFits out;
  for (std::int64_t d = 0; d < draws; ++d) {
    normal(stream, static_cast<std::uint64_t>(d * rows), noise);
    if (d == 0) out.data = noise;
    for (Eigen::Index s = 0; s < rows; ++s) y(s, d) = static_cast<Scalar>(noise[static_cast<std::size_t>(s)]);
  }
  const Dense<Scalar> phi = design<Scalar>(f, 2 * rows);
  const Dense<Scalar> c = coefficients<Scalar>(phi.topRows(rows), y, solver, ridge);
  const Dense<Scalar> first = phi * c.leftCols(1);
  for (Eigen::Index s = 0; s < 2 * rows; ++s) out.curve.push_back(static_cast<double>(first(s, 0)));
  out.largest.resize(static_cast<std::size_t>(draws));
  parallel_for(draws, [&](std::int64_t d) {
    out.largest[static_cast<std::size_t>(d)] = static_cast<double>((phi.bottomRows(rows) * c.col(d)).cwiseAbs().maxCoeff());
  });
  return out;
}

}  // namespace

NoiseFits fit_noise(std::span<const Turn> frequency, std::int64_t rows, FitSolver solver, double ridge, std::int64_t draws,
                    std::uint64_t seed) {
  return solver == FitSolver::normal_f32 ? fit<float>(frequency, rows, solver, ridge, draws, seed)
                                         : fit<double>(frequency, rows, solver, ridge, draws, seed);
}

}  // namespace posenc::math
