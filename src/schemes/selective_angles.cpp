#include "schemes/selective_angles.hpp"

#include <cmath>

namespace posenc::schemes {

using model::Index;
using model::Matrix;

Matrix unit_parts(const Matrix& x, Index heads) {
  const Index part = x.cols() / heads;
  Matrix out(x.rows(), x.cols());
  for (Index t = 0; t < x.rows(); ++t)
    for (Index h = 0; h < heads; ++h) {
      double squares = 1e-6;  // as in the code's norm
      for (Index c = h * part; c < (h + 1) * part; ++c) squares += x(t, c) * x(t, c);
      const double inverse = 1 / std::sqrt(squares);
      for (Index c = h * part; c < (h + 1) * part; ++c) out(t, c) = x(t, c) * inverse;
    }
  return out;
}

Matrix running_angles(const Matrix& phi, const Matrix& kernel, const Matrix& gate, double offset,
                      const model::Vector& temperature) {
  Matrix out(phi.rows(), phi.cols());
  for (Index j = 0; j < phi.cols(); ++j) {
    double total = 0;
    for (Index t = 0; t < phi.rows(); ++t) {
      double step = offset;
      for (Index tap = 0; tap < kernel.rows() && tap <= t; ++tap) step += kernel(tap, j) * phi(t - tap, j);
      if (gate.size()) step *= gate(t, gate.cols() == 1 ? 0 : j);
      out(t, j) = temperature(j) * (total += step);
    }
  }
  return out;
}

Matrix selectively_rotated_scores(const Matrix& q, const Matrix& k, const Matrix& angles) {
  Matrix out = q * k.transpose();
  const Index pairs = angles.cols();
  for (Index m = 0; m < out.rows(); ++m)
    for (Index n = 0; n <= std::min(m, out.cols() - 1); ++n) {
      double sum = 0;
      for (Index j = 0; j < pairs; ++j) {
        const double turn = angles(m, j) - angles(n, j), c = std::cos(turn), s = std::sin(turn);
        sum += c * (q(m, j) * k(n, j) + q(m, j + pairs) * k(n, j + pairs));
        sum += s * (q(m, j) * k(n, j + pairs) - q(m, j + pairs) * k(n, j));
      }
      out(m, n) = sum;
    }
  return out;
}

}  // namespace posenc::schemes
