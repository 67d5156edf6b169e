#include "analyses/precision_plan.hpp"

#include "model/views/position_code.hpp"
#include "model/views/traits.hpp"

#include <cmath>

namespace posenc::analyses {
namespace {

using namespace model;

constexpr double fastest = 1024;  // rad per position

std::string why_no_angle(const Encoding& e, const Traits& t) {
  const auto* r = form<Rotary>(e);
  switch (t.kind) {
    case Kind::contextual:
      return "depends on content: " + t.contextual_needs;
    case Kind::none:
      return "the encoding has no positional term";
    case Kind::rotary:
      if (r->hyperbolic) return "pairs meet hyperbolic functions, which have no angle";
      if (e.point) return "positions are points of a grid";
      if (r->early_until > 0) return "the first positions rotate by other frequencies than the rest";
      break;
    case Kind::table:
    case Kind::untied:
      if (pair_frequencies(e, 0).empty()) return "positions are indices of rows, not factors of an angle";
      break;
    case Kind::relative:
      if (pair_frequencies(e, 0).empty()) return "lags are indices of rows, not factors of an angle";
      break;
    case Kind::bias:
      return "a bias has no angle";
  }
  return {};
}

/// Theta_j = theta_0 r^j, as far as doubles say.
bool geometric(const std::vector<double>& theta) {
  for (std::size_t j = 2; j < theta.size(); ++j)
    if (!(std::abs(theta[j] * theta[0] - theta[j - 1] * theta[1]) <= 1e-14 * std::abs(theta[j] * theta[0]))) return false;
  return theta.size() > 1;
}

}  // namespace

PrecisionPlan::PrecisionPlan(const Subject& s, const std::string& wanted) : horizon(s.request.position_horizon) {
  const Encoding e = s.in_use();
  const Traits t = traits(e);
  no_angle = why_no_angle(e, t);
  const auto* r = t.kind == Kind::rotary ? form<Rotary>(e) : nullptr;
  if (no_angle.empty()) {
    heads = r && r->per_head ? r->heads : 1;
    for (Index h = 0; h < heads; ++h)
      for (const Frequency& f : pair_frequencies(e, h)) {
        if (f.turn == math::Turn{}) {
          ++constant;
          continue;
        }
        turn.push_back(f.turn), theta.push_back(f.theta), amplitude.push_back(r ? r->attention_factor : 1);
        if (!(std::abs(f.theta) < fastest)) no_angle = "a pair turns by more than 1024 rad a position";
      }
    if (turn.empty() && no_angle.empty()) no_angle = "no pair turns";
  }
  no_recurrence = heads == 1 && geometric(theta) ? "" : "the frequencies are no geometric sequence";
  no_table = !no_angle.empty()             ? no_angle
             : r && !r->mix_cosine.empty() ? "the cosines stored are sums over several frequencies"
                                           : "";
  no_shift = !no_table.empty()        ? no_table
             : t.kind != Kind::rotary ? "only rotations meet as functions of the lag"
             : t.damped               ? "the damping is rounded by no recipe"
                                      : "";
  for (const Recipe* recipe : named(wanted))
    if (!recipe->by_recurrence() || no_recurrence.empty()) recipes.push_back(recipe);
  for (Pos p = 0; p < std::min<Pos>(256, horizon); ++p) positions.push_back(p);
  for (int j = 0;; ++j) {
    const auto p = static_cast<Pos>(std::llround(std::exp2(8 + j / 32.0)));
    if (p >= horizon) break;
    positions.push_back(p);
  }
}

}  // namespace posenc::analyses
