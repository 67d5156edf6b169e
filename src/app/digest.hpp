#pragma once
// app: fingerprints of a configuration and of arrays.
#include "model/tensor.hpp"

#include <string>
#include <string_view>

namespace posenc::app {

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::string_view bytes);
/// Of the array's numbers as little-endian float64 in C order, whatever file and type they are stored in.
std::string sha256(const model::Tensor& array);

}  // namespace posenc::app
