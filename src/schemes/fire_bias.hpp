#pragma once
// schemes: FIRE's bias, shared by the schemes that build on it.
#include "schemes/perceptron.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {

/// f_h(psi(s)/(psi(max(m, least)) + 1e-6)), psi(x) = ln(|c x| + 1), s = max(m - n, 0).
struct FireBias {
  Perceptron net;  // of one input
  double c = 0.1, least = 512;

  model::Index units() const { return net.w1.rows(); }
  double input(model::Pos m, model::Pos n) const {
    const auto psi = [this](double x) { return std::log1p(std::abs(c * x)); };
    return psi(static_cast<double>(std::max<model::Pos>(m - n, 0))) / (psi(std::max(static_cast<double>(m), least)) + 1e-6);
  }
  double value(model::Index head, model::Pos m, model::Pos n) const {
    const double x = input(m, n);
    return net.output(head, &x);
  }
};

}  // namespace posenc::schemes
