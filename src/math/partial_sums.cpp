#include "math/partial_sums.hpp"

#include "math/parallel.hpp"
#include "math/phase_table.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace posenc::math {

void mean_abs_partial_sum(std::span<const Turn> frequency, std::int64_t first, std::span<double> out) {
  const std::size_t width = frequency.size();
  parallel_blocks(static_cast<std::int64_t>(out.size()), 256, [&](std::int64_t begin, std::int64_t count) {
    std::vector<double> c(static_cast<std::size_t>(count) * width), s(c.size());
    phase_table(frequency, first + begin, count, c.data(), s.data());
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      double x = 0, y = 0, total = 0;
      for (std::size_t j = 0; j < width; ++j) {
        x += c[i * width + j], y += s[i * width + j];
        total += std::sqrt(x * x + y * y);
      }
      out[static_cast<std::size_t>(begin) + i] = total / static_cast<double>(width);
    }
  });
}

}  // namespace posenc::math
