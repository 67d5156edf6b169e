#pragma once
// analyses: what the precision of an encoding is about: its angles, and which measures apply.
#include "analyses/precision_recipes.hpp"
#include "model/analysis.hpp"

#include <string>
#include <vector>

namespace posenc::analyses {

struct PrecisionPlan {
  /// `wanted`: names of recipes a/b/c, or all. Throws UsageError for a name that is none.
  PrecisionPlan(const model::Subject& s, const std::string& wanted);

  std::string no_angle, no_table, no_shift;  // why such measures do not apply; empty: they do
  std::string no_recurrence;                 // why recipes with a recurrence are left out
  std::vector<math::Turn> turn;              // of the pairs that turn, head by head
  std::vector<double> theta, amplitude;
  model::Index constant = 0;  // pairs that pass through, of all heads
  model::Index constant_of_head() const { return constant / heads; }
  model::Index heads = 1;
  std::vector<model::Pos> positions;  // 0 .. 255, then round(2^(8 + j/32)) below the horizon
  model::Pos horizon = 0;
  std::vector<const Recipe*> recipes;

  math::RoundedPhases phases(const math::Stages& stages) const { return {turn, theta, amplitude, stages}; }
};

/// Largest errors of angles and tables, at the positions of the grid and between, and the first positions beyond a tolerance.
inline constexpr double phase_tolerances[] = {1e-3, 1e-2, 1e-1, 1};
void write_phase_errors(const PrecisionPlan& plan, Sink& sink);

/// Change of the scores when query and key move together. The shifts are 2^4 .. 2^20, the positions 0 .. 255.
inline constexpr int first_shift = 4, last_shift = 20;
inline constexpr model::Pos shift_positions = 256;
void write_shift_errors(const PrecisionPlan& plan, std::uint64_t seed, model::Pos samples, Sink& sink);

}  // namespace posenc::analyses
