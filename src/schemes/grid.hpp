#pragma once
// schemes: tokens of an image, row by row.
#include "model/encoding.hpp"

namespace posenc::schemes {

/// Point of token p on a grid `columns` wide: height p / columns, width p mod columns, temporal 0.
inline std::function<model::Point(model::Pos)> grid(model::Pos columns) {
  return [columns](model::Pos p) { return model::Point{0, p / columns, p % columns}; };
}
inline constexpr model::Index height_axis = 1, width_axis = 2;

}  // namespace posenc::schemes
