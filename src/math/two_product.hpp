#pragma once
// math: the rounding error of a product, in vector registers, and the nearest whole numbers. For source files of math.
#include "math/simd.hpp"

namespace posenc::math {

/// a b - fl(a b), exactly, for factors below 2^900 whose product is 0 or above 2^-900.
inline simd::Vec product_error(simd::Vec a, simd::Vec b, simd::Vec product) {
#if defined(__FMA__) || defined(__aarch64__)
  return simd::fma(a, b, -product);
#else
  // Dekker 1971: halves of 26 bits.
  const simd::Vec wide_a = a * 0x1.0000002p27, wide_b = b * 0x1.0000002p27;
  const simd::Vec ah = wide_a - (wide_a - a), bh = wide_b - (wide_b - b), al = a - ah, bl = b - bh;
  return al * bl - (((product - ah * bh) - al * bh) - ah * bl);
#endif
}

/// x - the whole number nearest to x, exactly; |x| < 2^51.
inline simd::Vec beyond_whole(simd::Vec x) {
  const simd::Vec shift = simd::all(0x1.8p52);
  return x - ((x + shift) - shift);
}

/// m f in turns less whole turns, f = high + low: error 2^-52 turn for |m f| < 2^51.
inline simd::Vec turns_of(simd::Vec m, simd::Vec high, simd::Vec low) {
  const simd::Vec product = m * high;
  return beyond_whole(product) + (product_error(m, high, product) + m * low);
}

}  // namespace posenc::math
