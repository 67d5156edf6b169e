#pragma once
// schemes: bounds of the sizes that schemes share, so that a slip of the hand is refused instead of filling the memory.
#include "core/field.hpp"

namespace posenc::schemes {

inline constexpr std::int64_t largest_width = std::int64_t{1} << 20;
inline constexpr std::int64_t largest_heads = std::int64_t{1} << 16;

inline const Range widths = between(1, static_cast<double>(largest_width));
inline const Range head_counts = between(1, static_cast<double>(largest_heads));

/// Standard deviations of drawn parameters: their products stay finite.
inline const Range deviations{.low = 0, .high = 1e30, .open_low = true};

}  // namespace posenc::schemes
