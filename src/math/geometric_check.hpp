#pragma once
// math: whether a sum of cosines with geometric frequencies stays above zero at the integers below a length.
#include "math/aligned.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace posenc::math {

/// Largest error of B_b(m) divided by the number of pairs, m < 2^30, beside that of frequencies off by 1e-14 relative (base <= 1e9).
inline constexpr double geometric_sum_error = 1e-15;

/// B_b(m) = sum_{i<pairs} cos(m b^(-i/pairs)) at m = 0 .. lags - 1, for one base after another. What it answers is a function
/// of the base alone, whatever was asked before; a search from base to base is fast, because lags that failed are tried first.
class GeometricCheck {
 public:
  /// pairs >= 1, 1 <= lags <= 2^50.
  GeometricCheck(std::int64_t pairs, std::int64_t lags);

  /// A lag with B_b(m) < 0, whichever is found first; nothing where there is none. base > 1.
  std::optional<std::int64_t> negative_lag(double base);
  bool nonnegative(double base) { return !negative_lag(base); }
  /// B_b(lag).
  double sum(double base, std::int64_t lag);

 private:
  static constexpr int orders = 6;     // even and odd powers each that stand for the slow pairs within a block
  static constexpr double slow = 0.5;  // largest angle of a slow pair from the centre of a block: error 0.5^12/12! a pair

  void set(double base);
  double at(std::int64_t lag) const;
  std::optional<std::int64_t> recall();
  std::optional<std::int64_t> scan();
  void prepare_offsets();
  void prepare_moments();
  /// The terms of the block centred at x, from its own angles or a step below the one before.
  void centre(double x, bool anew, std::int64_t row);

  std::int64_t pairs_, lags_, padded_, half_, stride_, fast_ = 0;
  double base_ = 0;
  Aligned whole_, turns_, theta_;            // pair numbers, turns and radians per lag
  Aligned weight_;                           // 1, 0 behind the last pair
  Aligned offset_cos_, offset_sin_;          // [panel][powers, then fast pairs][lag]
  Aligned even_, odd_;                       // [order][pair], 0 for fast pairs
  Aligned cos_, sin_, step_cos_, step_sin_;  // of the centre of a block, and from one to the next
  Aligned centre_cos_, centre_sin_;          // [block of a tile][powers, then fast pairs]
  std::vector<std::int64_t> failed_;         // lags that were negative, the last first
};

}  // namespace posenc::math
