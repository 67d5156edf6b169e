#include "sources/element.hpp"

#include "math/formats.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>
#include <vector>

namespace posenc::sources {
namespace {

template <class Stored>
Stored load(const std::byte* at, bool swap) {
  std::array<std::byte, sizeof(Stored)> raw;
  std::memcpy(raw.data(), at, sizeof(Stored));
  if (swap) std::reverse(raw.begin(), raw.end());
  Stored value;
  std::memcpy(&value, raw.data(), sizeof(Stored));
  return value;
}

template <class Stored>
double exact(Stored v) {
  const auto d = static_cast<double>(v);
  if constexpr (std::is_integral_v<Stored> && sizeof(Stored) == 8) {
    // 2^63 and 2^64 are reached by rounding up only, and do not convert back.
    const bool back = d < std::ldexp(1.0, std::is_signed_v<Stored> ? 63 : 64) && static_cast<Stored>(d) == v;
    if (!back) return std::numeric_limits<double>::quiet_NaN();
  }
  return d;
}

template <class Stored, class Value>
void loop(bool swap, const std::byte* from, std::span<double> out, Value value) {
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = value(load<Stored>(from + k * sizeof(Stored), swap));
}

}  // namespace

std::size_t bytes_of(Element type) {
  static constexpr std::array<std::size_t, 12> sizes{2, 2, 4, 8, 1, 2, 4, 8, 1, 2, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

void convert(Element type, bool swap, const std::byte* from, std::span<double> out) {
  const auto plain = [](auto v) { return exact(v); };
  switch (type) {
    case Element::f16:
      return loop<std::uint16_t>(swap, from, out, math::from_f16);
    case Element::bf16:
      return loop<std::uint16_t>(swap, from, out, math::from_bf16);
    case Element::f32:
      return loop<float>(swap, from, out, plain);
    case Element::f64:
      return loop<double>(swap, from, out, plain);
    case Element::i8:
      return loop<std::int8_t>(swap, from, out, plain);
    case Element::i16:
      return loop<std::int16_t>(swap, from, out, plain);
    case Element::i32:
      return loop<std::int32_t>(swap, from, out, plain);
    case Element::i64:
      return loop<std::int64_t>(swap, from, out, plain);
    case Element::u8:
      return loop<std::uint8_t>(swap, from, out, plain);
    case Element::u16:
      return loop<std::uint16_t>(swap, from, out, plain);
    case Element::u32:
      return loop<std::uint32_t>(swap, from, out, plain);
    case Element::u64:
      return loop<std::uint64_t>(swap, from, out, plain);
  }
}

std::optional<std::size_t> first_bad(Element type, bool swap, const std::byte* from, std::size_t count) {
  const bool narrow_integer = type >= Element::i8 && bytes_of(type) < 8;
  if (narrow_integer) return {};
  std::vector<double> block(std::min<std::size_t>(count, 4096));
  for (std::size_t at = 0; at < count; at += block.size()) {
    const std::span<double> now(block.data(), std::min(block.size(), count - at));
    convert(type, swap, from + at * bytes_of(type), now);
    const auto bad = std::find_if(now.begin(), now.end(), [](double v) { return !std::isfinite(v); });
    if (bad != now.end()) return at + static_cast<std::size_t>(bad - now.begin());
  }
  return {};
}

}  // namespace posenc::sources
