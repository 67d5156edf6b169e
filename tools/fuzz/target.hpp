#pragma once
// fuzz: what the targets share: the input as a parser takes it, and what a parser may do with it.
#include "core/error.hpp"
#include "model/tensor.hpp"
#include "sources/mapped_file.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

/// One input of a target; returns 0. Defined once in each target, called by libFuzzer or by replay.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace posenc::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
/// The caller keeps the bytes.
inline sources::Bytes bytes_of(const std::uint8_t* data, std::size_t size) { return {std::as_bytes(std::span(data, size))}; }

/// Reads the tensor's first and last elements, up to 4096 of each, at once and one by one: both must give the same finite
/// numbers.
inline void read_elements(const model::Tensor& tensor) {
  const model::Pos size = tensor.size(), block = std::min<model::Pos>(size, 4096);
  std::vector<double> together(static_cast<std::size_t>(block));
  for (const model::Pos first : {model::Pos{0}, size - block}) {
    tensor.read(first, together);
    for (model::Pos k = 0; k < block; ++k) {
      double alone = 0;
      tensor.read(first + k, {&alone, 1});
      if (!std::isfinite(alone) || alone != together[static_cast<std::size_t>(k)]) std::abort();
    }
  }
}

/// A parser reads its input or refuses it as bad data; any other exception ends the process, and libFuzzer keeps the input.
template <class Parse>
int parsed_or_refused(Parse&& parse) {
  try {
    parse();
  } catch (const BadData&) {
  }
  return 0;
}

}  // namespace posenc::fuzz
