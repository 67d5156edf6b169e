#pragma once
// fuzz: what the targets share: the input as a parser takes it, and what a parser may do with it.
#include "core/error.hpp"
#include "sources/mapped_file.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// One input of a target; returns 0. Defined once in each target, called by libFuzzer or by replay.cpp.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace posenc::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}
/// The caller keeps the bytes.
inline sources::Bytes bytes_of(const std::uint8_t* data, std::size_t size) { return {std::as_bytes(std::span(data, size))}; }

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
