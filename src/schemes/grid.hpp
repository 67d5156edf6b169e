#pragma once
// schemes: tokens of an image, row by row.
#include "model/encoding.hpp"

namespace posenc::schemes {

/// Point of token p on a grid `columns` wide: height p / columns, width p mod columns, temporal 0; p counted behind the leading
/// `class_tokens`, which stand at the origin: they are not rotated.
inline std::function<model::Point(model::Pos)> grid(model::Pos columns, model::Pos class_tokens = 0) {
  return [columns, class_tokens](model::Pos token) {
    const model::Pos p = token < class_tokens ? 0 : token - class_tokens;
    return model::Point{0, p / columns, p % columns};
  };
}
inline constexpr model::Index height_axis = 1, width_axis = 2;

}  // namespace posenc::schemes
