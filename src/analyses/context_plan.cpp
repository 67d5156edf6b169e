#include "analyses/context_plan.hpp"

#include "model/views/score_gap.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <string>

namespace posenc::analyses {
namespace {

using namespace model;

std::string why_no_rotation(const Encoding& e, const Traits& t) {
  const auto* r = form<Rotary>(e);
  if (t.kind == Kind::contextual) return "depends on content: " + t.contextual_needs;
  if (!r) return "the encoding does not rotate";
  if (r->hyperbolic) return "pairs meet hyperbolic functions, not rotations";
  if (e.point) return "positions are points of a grid and have no lag";
  if (r->per_head) return "the frequencies differ by head";
  if (!r->mix_cosine.empty()) return "pairs turn with several frequencies";
  return {};
}

/// The number of fewest digits, 12 at most, whose frequencies b^(-j/n) are these to rounding, else the base itself. Rounding: a
/// unit in the last place of the exponent j/n, which ln b multiplies.
double rounded_base(double base, const std::vector<double>& theta) {
  for (int digits = 1; digits <= 12; ++digits) {
    const double candidate = std::stod(fmt::format("{:.{}e}", base, digits - 1));
    bool same = true;
    for (std::size_t j = 1; j < theta.size() && same; ++j)
      same = std::abs(std::pow(candidate, -static_cast<double>(j) / static_cast<double>(theta.size())) / theta[j] - 1) <=
             2.5e-16 * std::max(1.0, std::log(base));
    if (same) return candidate;
  }
  return base;
}

/// b of frequencies b^(-j/n), j = 0 .. n-1; 0 where they are no such sequence.
double base_of(const std::vector<double>& theta) {
  const std::size_t n = theta.size();
  if (n < 2 || !(std::abs(theta[0] - 1) <= 1e-12) || !(theta[n - 1] > 0)) return 0;
  const double step = std::log(theta[n - 1]) / static_cast<double>(n - 1);
  for (std::size_t j = 1; j < n; ++j)
    if (!(std::abs(std::log(theta[j]) - static_cast<double>(j) * step) <= 1e-12)) return 0;
  const double base = std::exp(-static_cast<double>(n) * step);
  return base > 1 ? rounded_base(base, theta) : 0;
}

}  // namespace

ContextPlan::ContextPlan(const Subject& s)
    : train_length(static_cast<double>(s.train_length())),
      length(static_cast<double>(s.request.in_use())),
      lags(s.request.length),
      factors(s.request.extend) {
  const Encoding in_use = s.in_use(), as_trained = s.as_trained();
  no_rotation = why_no_rotation(in_use, traits(in_use));
  if (no_rotation.empty()) no_rotation = why_no_rotation(as_trained, traits(as_trained));
  if (no_rotation.empty()) {
    rotated = *turning_pairs(in_use);
    if (rotated.pairs() == 0) no_rotation = "no pair turns";
  }
  no_lag = no_base = no_bands = no_rotation;
  if (!no_rotation.empty()) return;
  const Rotary& r = *form<Rotary>(in_use);
  attention_factor = r.attention_factor;
  used = rotated.theta, trained = turning_pairs(as_trained)->theta;
  if (r.early_until > 0) no_lag = "the first positions rotate by other frequencies";
  if (in_use.pair_map) no_lag = "positions are mapped before they rotate";
  if (!r.query_turn.empty()) no_lag = "queries of some heads are turned further";
  if (trained.size() != used.size()) no_bands = "pairs that turn in use did not as trained, or the reverse";
  base = base_of(trained), width = 2 * static_cast<double>(trained.size());
  if (base == 0) no_base = "the frequencies as trained are not b^(-2j/d)";
}

}  // namespace posenc::analyses
