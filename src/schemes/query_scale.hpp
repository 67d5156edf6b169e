#pragma once
// schemes: factors of a query's logits that grow with its position.
#include "model/encoding.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {

/// max(1, ln(p + 1)/ln(length)), length >= 2.
inline std::function<double(model::Pos)> log_scale(model::Pos length) {
  return [over = std::log(static_cast<double>(length))](model::Pos p) {
    return std::max(1.0, std::log(static_cast<double>(p) + 1) / over);
  };
}

/// 1 + slope ln(1 + floor((p + shift)/step)).
inline std::function<double(model::Pos)> stepped_scale(double slope, model::Pos step, model::Pos shift) {
  return [=](model::Pos p) { return 1 + slope * std::log1p(static_cast<double>((p + shift) / step)); };
}

}  // namespace posenc::schemes
