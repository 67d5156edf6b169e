#pragma once
// math: the least common multiple of integers of any size.
#include <cstdint>
#include <span>
#include <string>

namespace posenc::math {

struct CommonMultiple {
  std::string digits;  // decimal
  double log10 = 0;    // relative error 1e-15
};
/// Of numbers >= 1; of none: 1.
CommonMultiple least_common_multiple(std::span<const std::uint64_t> numbers);

}  // namespace posenc::math
