#pragma once
// app: the shapes in which caches of cosines and sines are kept, read as positions x columns without a copy.
#include "model/tensor.hpp"

#include <string>

namespace posenc::app {

struct ShapedArray {
  std::shared_ptr<const model::Tensor> tensor;  // its elements in the order of `sizes`
  std::vector<model::Pos> sizes;                // without those of 1: none, n, or positions x columns
  bool halves = false;                          // the first half of the columns is one of cosine and sine, the second the other
  std::string shape;                            // in words, of three dimensions
};

/// A vector or a table as it is; positions x pairs x 2 with the two in neighbouring columns; 2 x positions x pairs side by side.
/// Throws BadData for other shapes; `file` names the array.
ShapedArray shaped(std::shared_ptr<const model::Tensor> array, const std::string& file);

}  // namespace posenc::app
