#include "io/convert.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace posenc::io {
namespace {

template <class Stored>
std::size_t floats(std::span<const double> numbers, std::byte* out) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto v = static_cast<Stored>(numbers[i]);
    std::memcpy(out + i * sizeof v, &v, sizeof v);
  }
  return numbers.size();
}

// The range is [-2^b, 2^b): both ends are exact doubles.
template <class Stored>
std::size_t integers(std::span<const double> numbers, std::byte* out) {
  constexpr double low = static_cast<double>(std::numeric_limits<Stored>::min());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!(numbers[i] >= low && numbers[i] < -low && numbers[i] == std::trunc(numbers[i]))) return i;
    const auto v = static_cast<Stored>(numbers[i]);
    std::memcpy(out + i * sizeof v, &v, sizeof v);
  }
  return numbers.size();
}

}  // namespace

std::size_t convert(std::span<const double> numbers, Type type, std::byte* out) {
  switch (type) {
    case Type::f64:
      std::memcpy(out, numbers.data(), numbers.size_bytes());
      return numbers.size();
    case Type::f32:
      return floats<float>(numbers, out);
    case Type::i64:
      return integers<std::int64_t>(numbers, out);
    case Type::i8:
      return integers<std::int8_t>(numbers, out);
    case Type::text:
      break;
  }
  return 0;
}

void fill_element(Type type, std::byte* out) {
  const double value = type == Type::f64 || type == Type::f32 ? std::numeric_limits<double>::quiet_NaN() : 0.0;
  convert({&value, 1}, type, out);
}

}  // namespace posenc::io
