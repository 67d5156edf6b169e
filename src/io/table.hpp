#pragma once
// io: a dataset of an HDF5 file as a table for a scheme or an analysis.
#include "model/tensor.hpp"

#include <memory>
#include <string>

namespace posenc::io {

/// `file` is a path, or PATH#DATASET with the dataset's path ("a.h5#/encodings/rope/cos", the first '/' may be left out).
/// Without a name the file must hold one numeric dataset that is no coordinate. Read on demand, whatever its size.
/// Throws Error: no_input where the file is missing; BadData where the dataset is not there, not numeric, a scalar, or holds
/// numbers that are not finite (all are looked at once).
std::shared_ptr<const model::Tensor> open_table(const std::string& file);

}  // namespace posenc::io
