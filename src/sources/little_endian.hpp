#pragma once
// sources: unsigned integers in the bytes of a file that may end too early.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace posenc::sources {

/// The integer of `width` bytes, 8 at most, at `at`, lowest byte first; nothing where the bytes end before it does.
inline std::optional<std::uint64_t> little_endian(std::string_view bytes, std::size_t at, std::size_t width) {
  if (at > bytes.size() || width > bytes.size() - at) return {};
  std::uint64_t v = 0;
  for (std::size_t k = width; k-- > 0;) v = v << 8 | static_cast<unsigned char>(bytes[at + k]);
  return v;
}

}  // namespace posenc::sources
