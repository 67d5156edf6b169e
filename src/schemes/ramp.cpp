#include "schemes/ramp.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {

using math::Real;
using model::Index;

namespace {

constexpr std::array<std::string_view, 2> ramps{"code", "paper"};

Real clamp01(const Real& x) { return std::clamp(x, Real(0), Real(1)); }

std::vector<Real> along_index(const YarnRamp& r, double base, Index width, model::Pos original) {
  const auto pair_of = [&](double turns) -> Real {
    return width * log(Real(original) / (math::two_pi() * turns)) / (2 * log(Real(base)));
  };
  Real low = pair_of(r.beta_fast), high = pair_of(r.beta_slow);
  if (r.truncate) low = floor(low), high = ceil(high);
  low = std::max(low, Real(0)), high = std::min(high, Real(width - 1));
  if (low == high) high += 0.001;  // as in the code, to divide by something
  std::vector<Real> out;
  for (Index i = 0; i < width / 2; ++i) out.push_back(clamp01((i - low) / (high - low)));
  return out;
}

std::vector<Real> along_turns(const YarnRamp& r, double base, Index width, model::Pos original) {
  std::vector<Real> out;
  for (const Real& theta : geometric(base, width)) {
    const Real turns = original * theta / math::two_pi();
    out.push_back(r.beta_fast > r.beta_slow ? 1 - clamp01((turns - r.beta_slow) / (Real(r.beta_fast) - r.beta_slow))
                                            : Real(turns < r.beta_slow ? 1 : 0));
  }
  return out;
}

}  // namespace

Fields YarnRamp::fields() {
  return {
      {"beta-fast", "turn", "pairs that turn more often than this within the training length keep their frequency", &beta_fast,
       above(0)},
      {"beta-slow", "turn", "pairs that turn less often than this are divided by the factor", &beta_slow, above(0)},
      {"truncate", "1", "ramp=code: the blend starts and ends at whole pairs", &truncate},
      {"ramp", "1", "blend linear in the pair index, or in the turns within the training length", choice(ramp, ramps)},
  };
}

void YarnRamp::check(std::string_view owner) const {
  if (backwards && ramp == Ramp::paper) reject(owner, "backwards", "true", "needs ramp=code");
  if (beta_fast < beta_slow && !backwards)
    reject(owner, "beta-fast", number_text(beta_fast), fmt::format("must be >= beta-slow = {}", number_text(beta_slow)));
}

std::vector<Real> YarnRamp::shares(double base, Index width, model::Pos original) const {
  return ramp == Ramp::code ? along_index(*this, base, width, original) : along_turns(*this, base, width, original);
}

Thetas YarnRamp::apply(const Thetas& plain, double base, model::Pos original, double factor) const {
  const std::vector<Real> share = shares(base, 2 * static_cast<Index>(plain.size()), original);
  Thetas out;
  for (std::size_t i = 0; i < plain.size(); ++i) out.push_back(plain[i] / factor * share[i] + plain[i] * (1 - share[i]));
  return out;
}

double yarn_magnitude(double factor, double k) { return factor <= 1 ? 1 : 0.1 * k * std::log(factor) + 1; }

}  // namespace posenc::schemes
