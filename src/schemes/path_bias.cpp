#include "schemes/path_bias.hpp"

#include "math/phase_table.hpp"

#include <cmath>

namespace posenc::schemes {
namespace {

using model::Index;
using model::Matrix;

/// Rows divided by their root mean square, pairs turned back by their position.
Matrix turned(const Matrix& p, const std::vector<math::Turn>& frequency, model::Pos start) {
  const Index half = p.cols() / 2;
  Matrix out(p.rows(), p.cols()), cosine(p.rows(), half), sine(p.rows(), half);
  math::phase_table(frequency, start, p.rows(), cosine.data(), sine.data());
  for (Index t = 0; t < p.rows(); ++t) {
    double square = 0;
    for (Index c = 0; c < p.cols(); ++c) square += p(t, c) * p(t, c);
    const double inverse = square > 0 ? 1 / std::sqrt(square / static_cast<double>(p.cols())) : 0;
    for (Index i = 0; i < half; ++i) {
      const double a = p(t, i) * inverse, b = p(t, i + half) * inverse;
      out(t, i) = a * cosine(t, i) + b * sine(t, i);
      out(t, i + half) = b * cosine(t, i) - a * sine(t, i);
    }
  }
  return out;
}

}  // namespace

Matrix endpoint_path_bias(const Matrix& p, double slope, const std::vector<math::Turn>& frequency, model::Pos start) {
  const Matrix r = turned(p, frequency, start);
  Matrix out = Matrix::Zero(p.rows(), p.rows());
  for (Index m = 0; m < p.rows(); ++m) {
    double sum = 0;
    for (Index t = m; t >= 1; --t) {
      double x = 0;
      for (Index c = 0; c < p.cols(); ++c) x += p(m, c) * r(t, c);
      x /= static_cast<double>(p.cols());
      sum += slope * (x < 0 ? x - std::log1p(std::exp(x)) : -std::log1p(std::exp(-x)));
      out(m, t - 1) = sum;
    }
  }
  return out;
}

}  // namespace posenc::schemes
