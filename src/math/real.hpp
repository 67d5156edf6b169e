#pragma once
// math: the 113-bit real in which frequencies are derived, so that a frequency's error times 2^53 positions stays below
// 2^-59 turn. Include it in source files only: the type is heavy.
#include "math/turn.hpp"

#include <boost/math/constants/constants.hpp>
#include <boost/multiprecision/cpp_bin_float.hpp>

namespace posenc::math {

using Real = boost::multiprecision::cpp_bin_float_quad;

inline Real two_pi() {
  static const Real value = 2 * boost::math::constants::pi<Real>();
  return value;
}

/// Fraction of `turns` (any sign) in [0, 1), rounded to 2^-128.
inline Turn turn_from(const Real& turns) {
  const Real f = ldexp(turns - floor(turns), 64);
  const Real h = floor(f);
  const Real l = floor(ldexp(f - h, 64) + Real(0.5));
  if (l >= ldexp(Real(1), 64)) return Turn{h.convert_to<std::uint64_t>(), ~std::uint64_t{0}} + Turn{0, 1};
  return {h.convert_to<std::uint64_t>(), l.convert_to<std::uint64_t>()};
}

}  // namespace posenc::math
