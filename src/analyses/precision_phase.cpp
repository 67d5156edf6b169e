#include "analyses/precision_plan.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Pos positions_a_batch = Pos{1} << 22;  // between two looks for a wish to stop

double largest(std::span<const double> values) { return *std::max_element(values.begin(), values.end()); }

/// Errors at the positions of the grid: of the worst pair, and of each pair at its worst position.
struct OnGrid {
  std::vector<double> by_position, by_pair;
};
OnGrid on_grid(const PrecisionPlan& plan, const math::RoundedPhases& phases) {
  constexpr std::int64_t block = 64;
  const auto count = std::ssize(plan.positions), pairs = phases.pairs();
  OnGrid out{std::vector<double>(plan.positions.size()), std::vector<double>(plan.turn.size())};
  std::vector<std::vector<double>> worst(static_cast<std::size_t>((count + block - 1) / block), out.by_pair);
  math::parallel_blocks(count, block, [&](std::int64_t first, std::int64_t n) {
    std::vector<double> errors(static_cast<std::size_t>(pairs));
    auto& mine = worst[static_cast<std::size_t>(first / block)];
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + n); ++i) {
      phases.errors(plan.positions[i], errors);
      out.by_position[i] = largest(errors);
      for (std::size_t j = 0; j < errors.size(); ++j) mine[j] = std::max(mine[j], errors[j]);
    }
  });
  for (const auto& mine : worst)
    for (std::size_t j = 0; j < mine.size(); ++j) out.by_pair[j] = std::max(out.by_pair[j], mine[j]);
  return out;
}

/// Against `exact` cosines and sines at the positions of the grid, [position][cosines, sines].
std::vector<double> table_errors(const PrecisionPlan& plan, const math::RoundedPhases& phases, const std::vector<double>& exact) {
  std::vector<double> out(plan.positions.size());
  math::parallel_blocks(std::ssize(plan.positions), 64, [&](std::int64_t first, std::int64_t n) {
    const std::size_t pairs = plan.turn.size();
    std::vector<double> c(pairs), s(pairs);
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + n); ++i) {
      phases.row(plan.positions[i], c, s);
      const double* row = exact.data() + i * 2 * pairs;
      for (std::size_t j = 0; j < pairs; ++j) {
        const double error = std::max(std::abs(c[j] - row[j]), std::abs(s[j] - row[pairs + j]));
        out[i] = std::isnan(c[j] + s[j]) || std::isnan(out[i]) ? nan : std::max(out[i], error);
      }
    }
  });
  return out;
}

/// From each grid position to before the next, `at_grid` being the errors at the grid positions themselves.
std::vector<double> between(const PrecisionPlan& plan, const math::RoundedPhases& phases, const std::vector<double>& at_grid) {
  std::vector<double> out(plan.positions.size());
  const auto end = [&](std::size_t i) { return i + 1 < out.size() ? plan.positions[i + 1] : plan.horizon; };
  for (std::size_t first = 0; first < out.size();) {
    throw_if_stop_requested();
    std::size_t last = first + 1;
    while (last < out.size() && end(last) - plan.positions[first] <= positions_a_batch) ++last;
    math::parallel_for(static_cast<std::int64_t>(last - first), [&](std::int64_t k) {
      const std::size_t i = first + static_cast<std::size_t>(k);
      const Pos from = plan.positions[i] + 1;
      out[i] = from < end(i) ? phases.largest_error(from, end(i) - from, at_grid[i]) : at_grid[i];
    });
    first = last;
  }
  return out;
}

double first_beyond(const PrecisionPlan& plan, const math::RoundedPhases& phases, const std::vector<double>& worst,
                    double tolerance) {
  const double limit = tolerance * (1 + 1e-12);
  const auto at = std::find_if(worst.begin(), worst.end(), [&](double e) { return e > limit; });
  if (at == worst.end()) return nan;
  const auto i = static_cast<std::size_t>(at - worst.begin());
  const Pos from = plan.positions[i], to = i + 1 < worst.size() ? plan.positions[i + 1] : plan.horizon;
  const auto found = phases.first_above(from, to - from, limit);
  return found ? static_cast<double>(*found) : nan;
}

/// What a recipe's angles are off by; recipes that differ in storage and output alone share it.
struct PhaseErrors {
  math::Stages stages;
  OnGrid grid;
  std::vector<double> between, first;
};
bool same_angles(const math::Stages& a, const math::Stages& b) {
  return a.frequency == b.frequency && a.position == b.position && a.angle == b.angle && a.recurrence == b.recurrence;
}
PhaseErrors phase_errors(const PrecisionPlan& plan, const math::Stages& stages) {
  const math::RoundedPhases phases = plan.phases(stages);
  PhaseErrors out{stages, on_grid(plan, phases), {}, {}};
  out.between = between(plan, phases, out.grid.by_position);
  for (const double tolerance : phase_tolerances) out.first.push_back(first_beyond(plan, phases, out.between, tolerance));
  return out;
}

std::vector<double> exact_rows(const PrecisionPlan& plan) {
  const math::RoundedPhases exact = plan.phases({});
  const std::size_t pairs = plan.turn.size();
  std::vector<double> out(plan.positions.size() * 2 * pairs);
  for (std::size_t i = 0; i < plan.positions.size(); ++i)
    exact.row(plan.positions[i], std::span(out).subspan(i * 2 * pairs, pairs),
              std::span(out).subspan((i * 2 + 1) * pairs, pairs));
  return out;
}

}  // namespace

void write_phase_errors(const PrecisionPlan& plan, Sink& sink) {
  std::vector<PhaseErrors> known;
  const std::vector<double> exact = plan.no_table.empty() ? exact_rows(plan) : std::vector<double>{};
  for (std::size_t r = 0; r < plan.recipes.size(); ++r) {
    const math::Stages& stages = plan.recipes[r]->stages;
    auto at = std::find_if(known.begin(), known.end(), [&](const PhaseErrors& e) { return same_angles(e.stages, stages); });
    if (at == known.end()) at = known.insert(known.end(), phase_errors(plan, stages));
    sink.write("phase_error", r, at->grid.by_position);
    sink.write("phase_error_max", r, at->between);
    sink.write("phase_error_of_pair", r, at->grid.by_pair);
    sink.write("first_position", r, at->first);
    if (plan.no_table.empty()) sink.write("table_error", r, table_errors(plan, plan.phases(stages), exact));
  }
}

}  // namespace posenc::analyses
