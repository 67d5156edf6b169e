#pragma once
// math: rounding to the storage formats, to nearest even, with their infinities and subnormals.
#include <cstdint>

namespace posenc::math {

double round_f32(double x);
double round_bf16(double x);  // one rounding from the double
double round_f16(double x);   // beyond 65519.99...: infinity
double from_f16(std::uint16_t bits);
double from_bf16(std::uint16_t bits);

}  // namespace posenc::math
