#include "model/views/stored.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::model {
namespace {

double power_of_ten(int k) {
  double out = 1;
  for (; k > 0; --k) out *= 10;  // exact to 10^22
  return out;
}

}  // namespace

double Stored::round(double x) const {
  if (decimals >= 0) return std::nearbyint(x * power_of_ten(decimals)) / power_of_ten(decimals);
  return format ? math::round_to(*format, x) : x;
}

double Stored::spacing(double x) const {
  if (decimals >= 0) return 1 / power_of_ten(decimals);
  const int digits = format ? format->digits : 53, least = format ? format->min_exponent : -1022;
  const int exponent = x == 0 ? least : std::max(std::ilogb(x), least);
  return std::ldexp(1.0, exponent - digits + 1);
}

Stored stored_as(std::span<const double> values) {
  const auto all = [&](const Stored& s) {
    return std::all_of(values.begin(), values.end(), [&](double x) { return s.round(x) == x; });
  };
  double largest = 0;
  for (const double x : values) largest = std::max(largest, std::abs(x));
  for (const Stored& s :
       {Stored{"bfloat16", &math::bf16_format}, Stored{"float16", &math::f16_format}, Stored{"float32", &math::f32_format}})
    if (all(s)) return s;
  for (int k = 3; k <= 12; ++k)
    if (const Stored s{"numbers of " + std::to_string(k) + " decimals", nullptr, k}; largest * power_of_ten(k) < 0x1p53 && all(s))
      return s;
  return {};
}

}  // namespace posenc::model
