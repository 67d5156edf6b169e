#pragma once
// schemes: ALiBi's slopes, shared by the schemes that reuse them.
#include <cmath>
#include <cstdint>
#include <vector>

namespace posenc::schemes {

/// 2^(-bias_max h/P), h = 1 .. P, for P = heads a power of two; else those of the power below, then every second slope of
/// twice that power (Press 2022, ofirpress/attention_with_linear_biases). Error 1 ulp.
inline std::vector<double> alibi_slopes(std::int64_t heads, double bias_max = 8) {
  std::int64_t power = 1;
  while (2 * power <= heads) power *= 2;
  const auto slope = [&](std::int64_t h, std::int64_t of) {
    return std::exp2(-bias_max * static_cast<double>(h) / static_cast<double>(of));
  };
  std::vector<double> out;
  for (std::int64_t h = 1; h <= power; ++h) out.push_back(slope(h, power));
  for (std::int64_t h = 1; static_cast<std::int64_t>(out.size()) < heads; h += 2) out.push_back(slope(h, 2 * power));
  return out;
}

}  // namespace posenc::schemes
