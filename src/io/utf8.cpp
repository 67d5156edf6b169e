#include "io/utf8.hpp"

#include <fmt/format.h>
#include <cstdint>

namespace posenc::io {
namespace {

// Length of the well-formed sequence at the front (Unicode 15, table 3-7), 0 if there is none.
std::size_t sequence(std::string_view s) {
  const auto byte = [&](std::size_t i) { return i < s.size() ? static_cast<std::uint8_t>(s[i]) : std::uint8_t{0}; };
  const auto tail = [&](std::size_t i) { return (byte(i) & 0xC0) == 0x80; };
  const std::uint8_t a = byte(0), b = byte(1);
  if (a < 0x80) return a != 0;
  if (a >= 0xC2 && a <= 0xDF) return tail(1) ? 2 : 0;
  if (a >= 0xE0 && a <= 0xEF) {
    const bool second = tail(1) && !(a == 0xE0 && b < 0xA0) && !(a == 0xED && b > 0x9F);
    return second && tail(2) ? 3 : 0;
  }
  if (a >= 0xF0 && a <= 0xF4) {
    const bool second = tail(1) && !(a == 0xF0 && b < 0x90) && !(a == 0xF4 && b > 0x8F);
    return second && tail(2) && tail(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::string to_utf8(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const std::size_t n = sequence(bytes);
    if (n > 0)
      out += bytes.substr(0, n);
    else
      out += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(bytes.front()));
    bytes.remove_prefix(n > 0 ? n : 1);
  }
  return out;
}

}  // namespace posenc::io
