#pragma once
// io: numbers as they are stored.
#include "core/schema.hpp"

#include <cstddef>
#include <span>

namespace posenc::io {

/// Writes numbers.size() elements of `type` (not text) to `out`, in the machine's byte order: float64 and integers exactly,
/// float32 by one rounding to nearest even (infinite beyond its range). Returns the index of the first number that an integer
/// type does not hold (fractions, NaN, infinities, out of range), or numbers.size().
std::size_t convert(std::span<const double> numbers, Type type, std::byte* out);

/// One element of `type`: NaN for floats, 0 for integers.
void fill_element(Type type, std::byte* out);

}  // namespace posenc::io
