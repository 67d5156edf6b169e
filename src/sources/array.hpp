#pragma once
// sources: an array inside the bytes of a file.
#include "model/tensor.hpp"
#include "sources/element.hpp"
#include "sources/mapped_file.hpp"

namespace posenc::sources {

struct ArrayFacts {
  Element type = Element::f64;
  bool big_endian = false;
  bool fortran = false;  // the first index runs fastest in the file
  std::vector<model::Pos> shape;
  std::size_t offset = 0;  // of the first element, in bytes
};

/// The array as a tensor in C order; keeps the bytes. `name` is what messages call it. Throws BadData where the shape has no
/// elements or more bytes than there are from `offset` on, or an element is not a finite number that float64 holds exactly.
std::shared_ptr<const model::Tensor> array_in(Bytes bytes, ArrayFacts facts, const std::string& name);

/// Bytes the array takes; nothing where that does not fit in 63 bits or a dimension is below 1.
std::optional<std::size_t> array_bytes(const ArrayFacts& facts);

}  // namespace posenc::sources
