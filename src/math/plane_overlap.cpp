#include "math/plane_overlap.hpp"

#include "math/real.hpp"

#include <array>
#include <limits>

namespace posenc::math {
namespace {

struct Sums {
  Real cosine, sine;
};

/// sum_{s < count} of cos and sin of s turns.
Sums sums(Turn turns, std::int64_t count) {
  if (turns == Turn{}) return {Real(count), Real(0)};
  const Real h = (ldexp(Real(turns.hi), -64) + ldexp(Real(turns.lo), -128)) * two_pi() / 2;
  const Real ratio = sin(count * h) / sin(h);
  return {ratio * cos((count - 1) * h), ratio * sin((count - 1) * h)};
}

using Block = std::array<Real, 4>;  // 2 x 2, by rows

/// Inner products over the window of (cos s a, sin s a) with (cos s b, sin s b).
Block products(Turn a, Turn b, std::int64_t count) {
  const Sums up = sums(a + b, count), down = sums(a - b, count);
  return {(down.cosine + up.cosine) / 2, (up.sine - down.sine) / 2, (up.sine + down.sine) / 2, (down.cosine - up.cosine) / 2};
}

Block times(const Block& x, const Block& y) {
  return {x[0] * y[0] + x[1] * y[2], x[0] * y[1] + x[1] * y[3], x[2] * y[0] + x[3] * y[2], x[2] * y[1] + x[3] * y[3]};
}

}  // namespace

double plane_overlap(Turn a, Turn b, std::int64_t count) {
  constexpr Turn half{std::uint64_t{1} << 63, 0};
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  if (count < 2 || a == Turn{} || b == Turn{} || a == half || b == half) return none;
  const auto inverse = [](const Block& x) {
    const Real det = x[0] * x[3] - x[1] * x[2];
    return Block{x[3] / det, -x[1] / det, -x[2] / det, x[0] / det};
  };
  const Block cross = products(a, b, count), turned{cross[0], cross[2], cross[1], cross[3]};
  const Block all = times(times(inverse(products(a, a, count)), cross), times(inverse(products(b, b, count)), turned));
  return static_cast<double>((all[0] + all[3]) / 2);
}

}  // namespace posenc::math
