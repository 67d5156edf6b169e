#include "math/rounded_phase.hpp"

#include "math/real.hpp"
#include "math/simd_rounding.hpp"
#include "math/two_product.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace posenc::math {
namespace {

using simd::Vec;

constexpr std::int64_t lanes = simd::lanes;
// 1 / (2 pi), twice a double.
constexpr double turns_a_radian = 0x1.45f306dc9c883p-3, turns_a_radian_low = -0x1.6b01ec5417056p-57;

struct Twice {
  double high, low;
  explicit Twice(const Real& x) : high(x.convert_to<double>()), low((x - high).convert_to<double>()) {}
};

double rounded(const BinaryFormat& f, const Real& x) {
  if (f.digits == f64_format.digits) return x.convert_to<double>();
  const Twice t(x);
  return round_to(f, to_odd(simd::all(t.high), simd::all(t.low)))[0];
}

/// Of a turn in the sense of the constructor.
Real exact_turns(Turn turn, double theta) {
  const Real fraction = ldexp(Real(turn.hi), -64) + ldexp(Real(turn.lo), -128);
  return fraction + round(Real(theta) / two_pi() - fraction);
}

/// Radians to turns less whole turns.
Vec turns_from(Vec radians) { return turns_of(radians, simd::all(turns_a_radian), simd::all(turns_a_radian_low)); }

/// The modulus in rad of a difference in turns, the shorter way around; pi where it is NaN.
Vec shorter_way(Vec turns) {
  const Vec rest = beyond_whole(turns);
  const Vec modulus = rest < 0.0 ? -rest : rest;
  return (modulus <= 0.5 ? modulus : simd::all(0.5)) * (2 * std::numbers::pi);
}

/// Lanes of v to out[j] on, as many as there are.
void put(Vec v, std::span<double> out, std::int64_t j) {
  if (j + lanes <= std::ssize(out)) {
    simd::store(out.data() + j, v);
    return;
  }
  for (std::int64_t i = j; i < std::ssize(out); ++i) out[static_cast<std::size_t>(i)] = v[static_cast<int>(i - j)];
}

}  // namespace

/// Constants of one pair in all lanes, or of consecutive pairs in one lane each.
struct RoundedPhases::Pair {
  Vec exact, exact_low, used, used_low, turn, turn_low, off, off_low;

  static Pair one(const RoundedPhases& p, std::int64_t j) {
    return {simd::all(*(p.exact_ + j)), simd::all(*(p.exact_low_ + j)), simd::all(*(p.used_ + j)), simd::all(*(p.used_low_ + j)),
            simd::all(*(p.turn_ + j)),  simd::all(*(p.turn_low_ + j)),  simd::all(*(p.off_ + j)),  simd::all(*(p.off_low_ + j))};
  }
  static Pair several(const RoundedPhases& p, std::int64_t j) {
    return {simd::load(p.exact_ + j), simd::load(p.exact_low_ + j), simd::load(p.used_ + j), simd::load(p.used_low_ + j),
            simd::load(p.turn_ + j),  simd::load(p.turn_low_ + j),  simd::load(p.off_ + j),  simd::load(p.off_low_ + j)};
  }
  /// `exact`: the product fits into a double.
  Vec rounded_angle(const BinaryFormat& f, Vec position, bool exact) const {
    const Vec product = position * used;
    if (f.digits == f64_format.digits) return product;
    if (exact) return round_to(f, product);
    return round_to(f, to_odd(product, product_error(position, used, product) + position * used_low));
  }
  /// Of a computed angle in rad.
  Vec error_of_angle(Vec angle, Vec m) const {
    const Vec product = m * exact;
    return shorter_way(turns_from((angle - product) - (product_error(m, exact, product) + m * exact_low)));
  }
  /// Where the angle itself is not rounded.
  Vec error_of_factors(Vec position, Vec m) const {
    return shorter_way(turns_of(position - m, turn, turn_low) + turns_of(m, off, off_low));
  }
};

RoundedPhases::RoundedPhases(std::span<const Turn> turn, std::span<const double> theta, std::span<const double> amplitude,
                             const Stages& stages)
    : pairs_(std::ssize(turn)),
      padded_(simd::padded(pairs_)),
      stages_(stages),
      exact_product_(stages.frequency && stages.position && stages.frequency->digits + stages.position->digits <= 53),
      exact_(padded_),
      exact_low_(padded_),
      used_(padded_),
      used_low_(padded_),
      turn_(padded_),
      turn_low_(padded_),
      off_(padded_),
      off_low_(padded_),
      amplitude_(padded_) {
  Real first, ratio;
  double recurrent = 0;
  for (std::int64_t j = 0; j < pairs_; ++j) {
    const auto i = static_cast<std::size_t>(j);
    const Real turns = exact_turns(turn[i], theta[i]), radians = turns * two_pi();
    if (j == 0) first = radians;
    if (j == 1) ratio_ = rounded(f32_format, radians / first);
    Twice used(radians);
    if (stages.recurrence == Stages::Recurrence::frequency) {
      recurrent = j == 0 ? rounded(f32_format, radians) : round_f32(recurrent * ratio_);
      used.high = recurrent, used.low = 0;
    } else if (stages.frequency) {
      used.high = rounded(*stages.frequency, radians), used.low = 0;
    }
    const Real used_turns = (Real(used.high) + Real(used.low)) / two_pi();
    const Twice exact(radians), turned(used_turns),
        off(stages.frequency || stages.recurrence == Stages::Recurrence::frequency ? Real(used_turns - turns) : Real(0));
    *(exact_ + j) = exact.high, *(exact_low_ + j) = exact.low;
    *(used_ + j) = used.high, *(used_low_ + j) = used.low;
    *(turn_ + j) = turned.high, *(turn_low_ + j) = turned.low;
    *(off_ + j) = off.high, *(off_low_ + j) = off.low;
    *(amplitude_ + j) = amplitude[i];
  }
}

void RoundedPhases::angles_by_recurrence(double position, double* out) const {
  double angle = round_f32(round_f32(position) * *(used_ + 0));
  for (std::int64_t j = 0; j < pairs_; ++j) {
    out[j] = angle;
    angle = round_f32(angle * ratio_);
  }
}

void RoundedPhases::errors(std::int64_t position, std::span<double> out) const {
  const auto m = static_cast<double>(position);
  const Vec exact = simd::all(m), used = simd::all(stages_.position ? math::round_to(*stages_.position, m) : m);
  const bool recurrent = stages_.recurrence == Stages::Recurrence::angle;
  Aligned angles(recurrent ? padded_ : 0);
  if (recurrent) angles_by_recurrence(m, angles.data());
  for (std::int64_t j = 0; j < padded_; j += lanes) {
    const Pair p = Pair::several(*this, j);
    put(recurrent       ? p.error_of_angle(simd::load(angles + j), exact)
        : stages_.angle ? p.error_of_angle(p.rounded_angle(*stages_.angle, used, exact_product_), exact)
                        : p.error_of_factors(used, exact),
        out, j);
  }
}

void RoundedPhases::row(std::int64_t position, std::span<double> cosines, std::span<double> sines) const {
  const auto m = static_cast<double>(position);
  const Vec used = simd::all(stages_.position ? math::round_to(*stages_.position, m) : m);
  const bool recurrent = stages_.recurrence == Stages::Recurrence::angle;
  Aligned angles(recurrent ? padded_ : 0);
  if (recurrent) angles_by_recurrence(m, angles.data());
  for (std::int64_t j = 0; j < padded_; j += lanes) {
    const Pair p = Pair::several(*this, j);
    const Vec turns = recurrent       ? turns_from(simd::load(angles + j))
                      : stages_.angle ? turns_from(p.rounded_angle(*stages_.angle, used, exact_product_))
                                      : turns_of(used, p.turn, p.turn_low);
    const simd::SinCos z = simd::sincospi(turns + turns);
    const Vec a = simd::load(amplitude_ + j);
    const auto stored = [&](Vec x) {
      if (!stages_.storage) return x;
      return x == x ? round_to(*stages_.storage, x) : x;
    };
    put(stored(z.cos * a), cosines, j);
    put(stored(z.sin * a), sines, j);
  }
}

double RoundedPhases::bound(std::int64_t pair, double last) const {
  const double t = std::abs(*(used_ + pair)), slack = 1 + 1e-9;
  const auto unit = [](const BinaryFormat& f) { return std::ldexp(1.0, -f.digits); };
  const auto least = [](const BinaryFormat& f) { return std::ldexp(1.0, f.min_exponent - f.digits); };
  if (stages_.recurrence == Stages::Recurrence::angle) {
    // j products, the ratio's own error in each, the position and the first product.
    const double exact = std::abs(*(exact_ + pair));
    const double roundings = 2 * static_cast<double>(pair) + 2;
    return std::min(std::numbers::pi, last * exact * roundings * unit(f32_format) * (1 + roundings * unit(f32_format)) * slack +
                                          static_cast<double>(pair + 2) * least(f32_format));
  }
  double largest = last, off = std::abs(*(off_ + pair)) * 2 * std::numbers::pi * last;
  if (stages_.position) {
    if (last > stages_.position->max) return std::numbers::pi;
    if (last > std::ldexp(1.0, stages_.position->digits)) off += last * unit(*stages_.position) * t;
    largest *= 1 + unit(*stages_.position);
  }
  if (stages_.angle) {
    const double angle = largest * t;
    if (angle > stages_.angle->max) return std::numbers::pi;
    off += angle * unit(*stages_.angle) + least(*stages_.angle);
  }
  return off == 0 ? 0 : std::min(std::numbers::pi, off * slack + 1e-14);
}

template <class Level, class Found>
void RoundedPhases::each_pair(std::int64_t first, std::int64_t count, const Level& level, const Found& found) const {
  const auto size = static_cast<std::size_t>(pairs_);
  std::vector<double> bounds(size), after(size + 1);
  for (std::size_t j = 0; j < size; ++j) bounds[j] = bound(static_cast<std::int64_t>(j), static_cast<double>(first + count - 1));
  for (std::size_t j = size; j-- > 0;) after[j] = std::max(after[j + 1], bounds[j]);
  std::vector<std::int64_t> order(size);
  std::iota(order.begin(), order.end(), 0);
  const bool in_order = stages_.recurrence == Stages::Recurrence::angle;
  if (!in_order)
    std::stable_sort(order.begin(), order.end(),
                     [&](auto a, auto b) { return bounds[static_cast<std::size_t>(a)] > bounds[static_cast<std::size_t>(b)]; });
  Aligned exact(chunk), used(chunk), error(chunk), angle(in_order ? chunk : 0);
  for (std::int64_t at = first; at < first + count; at += chunk) {
    const std::int64_t n = std::min(chunk, first + count - at), padded = simd::padded(n);
    for (std::int64_t i = 0; i < padded; ++i) *(exact + i) = static_cast<double>(at + std::min(i, n - 1));
    for (std::int64_t i = 0; i < padded; i += lanes) {
      const Vec m = simd::load(exact + i);
      simd::store(used + i, stages_.position ? round_to(*stages_.position, m) : m);
      if (in_order) simd::store(angle + i, round_to(f32_format, round_to(f32_format, m) * simd::all(*(used_ + 0))));
    }
    for (const std::int64_t j : order) {
      if ((in_order ? after : bounds)[static_cast<std::size_t>(j)] <= level()) break;
      const Pair p = Pair::one(*this, j);
      if (in_order) {
        for (std::int64_t i = 0; i < padded; i += lanes) {
          const Vec a = simd::load(angle + i);
          simd::store(error + i, p.error_of_angle(a, simd::load(exact + i)));
          simd::store(angle + i, round_to(f32_format, a * simd::all(ratio_)));
        }
      } else if (stages_.angle) {
        const BinaryFormat format = *stages_.angle;
        for (std::int64_t i = 0; i < padded; i += lanes)
          simd::store(error + i,
                      p.error_of_angle(p.rounded_angle(format, simd::load(used + i), exact_product_), simd::load(exact + i)));
      } else {
        for (std::int64_t i = 0; i < padded; i += lanes)
          simd::store(error + i, p.error_of_factors(simd::load(used + i), simd::load(exact + i)));
      }
      found(at, std::span<const double>(error.data(), static_cast<std::size_t>(n)));
    }
  }
}

double RoundedPhases::largest_error(std::int64_t first, std::int64_t count, double least) const {
  double best = least;
  each_pair(
      first, count, [&] { return best; },
      [&](std::int64_t, std::span<const double> errors) {
        Vec top = simd::all(best);
        std::size_t i = 0;
        for (; i + lanes <= errors.size(); i += lanes) {
          const Vec e = simd::load(errors.data() + i);
          top = e > top ? e : top;
        }
        for (int l = 0; l < lanes; ++l) best = std::max(best, static_cast<double>(top[l]));
        for (; i < errors.size(); ++i) best = std::max(best, errors[i]);
      });
  return best;
}

std::optional<std::int64_t> RoundedPhases::first_above(std::int64_t first, std::int64_t count, double tolerance) const {
  for (std::int64_t at = first; at < first + count; at += chunk) {
    std::optional<std::int64_t> found;
    each_pair(
        at, std::min(chunk, first + count - at), [&] { return tolerance; },
        [&](std::int64_t from, std::span<const double> errors) {
          for (std::size_t i = 0; i < errors.size(); ++i) {
            const std::int64_t position = from + static_cast<std::int64_t>(i);
            if (found && position >= *found) break;
            if (errors[i] > tolerance) found = position;
          }
        });
    if (found) return found;
  }
  return {};
}

}  // namespace posenc::math
