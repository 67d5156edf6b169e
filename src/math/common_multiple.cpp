#include "math/common_multiple.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>

namespace posenc::math {

CommonMultiple least_common_multiple(std::span<const std::uint64_t> numbers) {
  using boost::multiprecision::cpp_int;
  cpp_int multiple = 1;
  for (const std::uint64_t n : numbers) multiple = boost::multiprecision::lcm(multiple, cpp_int(n));
  const auto top = static_cast<std::int64_t>(boost::multiprecision::msb(multiple));
  const std::int64_t dropped = top > 62 ? top - 62 : 0;
  const auto leading = static_cast<std::uint64_t>(cpp_int(multiple >> static_cast<unsigned>(dropped)));
  return {multiple.str(), std::log10(static_cast<double>(leading)) + static_cast<double>(dropped) * std::log10(2.0)};
}

}  // namespace posenc::math
