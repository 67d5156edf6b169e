#pragma once
// math: a phase as a fraction of a turn in 128-bit fixed point. position * frequency wraps: exact range reduction for
// every position to 2^64.
#include <cstdint>

namespace posenc::math {

struct Turn {
  std::uint64_t hi = 0, lo = 0;  // the fraction times 2^128
  friend bool operator==(const Turn&, const Turn&) = default;
};

inline Turn operator*(std::uint64_t m, Turn f) {  // mod 1
  __extension__ using U = unsigned __int128;
  const U v = ((static_cast<U>(f.hi) << 64) | f.lo) * m;
  return {static_cast<std::uint64_t>(v >> 64), static_cast<std::uint64_t>(v)};
}
inline Turn operator+(Turn a, Turn b) {
  const std::uint64_t lo = a.lo + b.lo;
  return {a.hi + b.hi + (lo < a.lo), lo};
}
inline Turn operator-(Turn a) {
  const std::uint64_t lo = ~a.lo + 1;
  return {~a.hi + (lo == 0), lo};
}
inline Turn operator-(Turn a, Turn b) { return a + -b; }
/// m * f for a signed multiplier: a negative lag turns backwards. (The two's complement of m would not do as an unsigned
/// multiplier: it is m + 2^64, and 2^64 f is not a whole number of turns.)
inline Turn times(std::int64_t m, Turn f) {
  const auto magnitude = static_cast<std::uint64_t>(m);
  return m < 0 ? -((~magnitude + 1) * f) : magnitude * f;
}

/// Signed fraction in [-1/2, 1/2): relative error 2^-52, for fractions as small as 2^-75.
inline double signed_turns(Turn t) {
  return static_cast<double>(static_cast<std::int64_t>(t.hi)) * 0x1p-64 + static_cast<double>(t.lo) * 0x1p-128;
}

/// The same with a relative error of 2^-52 down to the last of the 128 bits.
inline double fine_signed_turns(Turn t) { return t.hi >> 63 ? -signed_turns(-t) : signed_turns(t); }

}  // namespace posenc::math
