#pragma once
// math: how many different numbers the integers below a horizon become in a storage format.
#include "math/formats.hpp"

#include <cstdint>
#include <optional>

namespace posenc::math {

/// Different finite values of 0 .. horizon - 1, each rounded to nearest even; 1 <= horizon <= 2^53.
std::int64_t distinct_integers(const BinaryFormat& f, std::int64_t horizon);
/// The lower of the first two integers below `horizon` that share a value: 2^digits, which its successor rounds to.
std::optional<std::int64_t> first_shared_integer(const BinaryFormat& f, std::int64_t horizon);

}  // namespace posenc::math
