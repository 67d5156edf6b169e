#pragma once
// schemes: YaRN's blend of kept and interpolated frequencies, shared by the schemes that start from it. Include it in source
// files only: the type is heavy.
#include "core/field.hpp"
#include "schemes/bands.hpp"
#include "schemes/frequencies.hpp"

namespace posenc::schemes {

/// Where the blend runs: along the pair index (code), or along the turns within the training length (paper).
enum class Ramp : int { code, paper };

struct YarnRamp {
  double beta_fast = 32, beta_slow = 1;  // turns within the training length
  bool truncate = true;                  // code: whole pairs bound the blend
  Ramp ramp = Ramp::code;
  bool backwards = false;  // code: beta-fast < beta-slow is taken as it comes: g falls from 1 to 0

  /// beta-fast, beta-slow, truncate, ramp, pointing into this object.
  Fields fields();
  /// Throws UsageError where beta-fast < beta-slow and not backwards: no pair would lie between.
  void check(std::string_view owner) const;
  /// The share g_i of interpolation of each pair of a rotary width, in [0, 1]: 0 keeps a frequency, 1 divides it.
  std::vector<math::Real> shares(double base, model::Index width, model::Pos original) const;
  /// The same to a few units in the last place, for recognition.
  std::vector<double> near_shares(double base, model::Index width, model::Pos original) const;
  /// theta_i (1 - g_i) + theta_i / factor g_i.
  Thetas apply(const Thetas& plain, double base, model::Pos original, double factor) const;
};

/// Blends of the ramp that models have, for recognition (bands.hpp): usual training lengths and those that the ratios of pairs to
/// plain frequencies show, with the usual turns, along whole pairs, along the index and along the turns.
std::vector<Blend> ramp_blends(double base, const std::vector<double>& ratio);

/// 0.1 k ln(factor) + 1, and 1 for factor <= 1: YaRN's attention factor (k = 1).
double yarn_magnitude(double factor, double k = 1);

}  // namespace posenc::schemes
