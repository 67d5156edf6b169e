#pragma once
// math: the angle m t of a rotation as a pipeline of limited precision computes it, against the exact one.
#include "math/aligned.hpp"
#include "math/formats.hpp"
#include "math/turn.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace posenc::math {

/// Stands for doubles themselves: frequency rounded to a double, position times frequency rounded once.
inline constexpr BinaryFormat f64_format{53, -1022, std::numeric_limits<double>::max()};

/// Stages of a pipeline that round, each to nearest even; nullptr: exact.
struct Stages {
  const BinaryFormat* frequency = nullptr;
  const BinaryFormat* position = nullptr;
  const BinaryFormat* angle = nullptr;    // the product of the two
  const BinaryFormat* storage = nullptr;  // of cosine and sine
  /// In float32: t_{j+1} = t_j r from t_0, or angle_{j+1} = angle_j r from the position times t_0; r = t_1 / t_0, rounded once.
  enum class Recurrence { none, frequency, angle } recurrence = Recurrence::none;
};

/// Largest error of an angle's error in rad, and of a cosine and sine before they are stored (amplitude 1), at positions below
/// rounded_phase_positions.
inline constexpr double rounded_phase_error = 4e-15;
inline constexpr std::int64_t rounded_phase_positions = std::int64_t{1} << 40;

class RoundedPhases {
 public:
  /// Pair j turns by 2 pi (turn[j] + k) a position, k the whole number that brings it nearest to theta[j], |theta| < 2^10; its
  /// cosine and sine are times amplitude[j]. The pairs of a recurrence are those given, in order.
  RoundedPhases(std::span<const Turn> turn, std::span<const double> theta, std::span<const double> amplitude,
                const Stages& stages);

  std::int64_t pairs() const { return pairs_; }
  /// |computed - exact angle| in rad, the way around that is shorter, in [0, pi]; pi where the computed one is not finite.
  void errors(std::int64_t position, std::span<double> out) const;
  /// Cosine and sine as stored; NaN where the angle is not finite.
  void row(std::int64_t position, std::span<double> cosines, std::span<double> sines) const;
  /// Largest error of any pair at positions first .. first + count - 1, or `least` where none is larger. Pairs that a bound
  /// excludes are not looked at.
  double largest_error(std::int64_t first, std::int64_t count, double least = 0) const;
  /// The first of them where a pair's error is above `tolerance`.
  std::optional<std::int64_t> first_above(std::int64_t first, std::int64_t count, double tolerance) const;

 private:
  struct Pair;
  /// Positions looked at together, as they are and as rounded.
  static constexpr std::int64_t chunk = 1024;
  double bound(std::int64_t pair, double last) const;
  /// Calls found(pair, errors) for pairs whose bound exceeds what `level` returns, pair by pair.
  template <class Level, class Found>
  void each_pair(std::int64_t first, std::int64_t count, const Level& level, const Found& found) const;
  void angles_by_recurrence(double position, double* out) const;

  std::int64_t pairs_, padded_;
  Stages stages_;
  bool exact_product_;         // of position and frequency as rounded
  double ratio_ = 0;           // of a recurrence of angles
  Aligned exact_, exact_low_;  // t in rad, twice a double
  Aligned used_, used_low_;    // t' in rad
  Aligned turn_, turn_low_;    // t' in turns
  Aligned off_, off_low_;      // t' - t in turns
  Aligned amplitude_;
};

}  // namespace posenc::math
