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

std::vector<double> table_errors(const PrecisionPlan& plan, const math::RoundedPhases& phases) {
  const math::RoundedPhases exact = plan.phases({});
  std::vector<double> out(plan.positions.size());
  math::parallel_blocks(std::ssize(plan.positions), 64, [&](std::int64_t first, std::int64_t n) {
    const std::size_t pairs = plan.turn.size();
    std::vector<double> c(pairs), s(pairs), exact_c(pairs), exact_s(pairs);
    for (auto i = static_cast<std::size_t>(first); i < static_cast<std::size_t>(first + n); ++i) {
      phases.row(plan.positions[i], c, s);
      exact.row(plan.positions[i], exact_c, exact_s);
      for (std::size_t j = 0; j < pairs; ++j) {
        const double error = std::max(std::abs(c[j] - exact_c[j]), std::abs(s[j] - exact_s[j]));
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

}  // namespace

void write_phase_errors(const PrecisionPlan& plan, Sink& sink) {
  for (std::size_t r = 0; r < plan.recipes.size(); ++r) {
    const math::RoundedPhases phases = plan.phases(plan.recipes[r]->stages);
    const OnGrid grid = on_grid(plan, phases);
    const std::vector<double> worst = between(plan, phases, grid.by_position);
    std::vector<double> first;
    for (const double tolerance : phase_tolerances) first.push_back(first_beyond(plan, phases, worst, tolerance));
    sink.write("phase_error", r, grid.by_position);
    sink.write("phase_error_max", r, worst);
    sink.write("phase_error_of_pair", r, grid.by_pair);
    sink.write("first_position", r, first);
    if (plan.no_table.empty()) sink.write("table_error", r, table_errors(plan, phases));
  }
}

}  // namespace posenc::analyses
