#include "schemes/ramp.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::schemes {

using math::Real;
using model::Index;

namespace {

constexpr std::array<std::string_view, 2> ramps{"code", "paper"};

template <class Number>
Number clamp01(const Number& x) {
  return std::clamp(x, Number(0), Number(1));
}

template <class Number>
std::vector<Number> along_index(const YarnRamp& r, const Number& log_base, Index width, model::Pos original,
                                const Number& two_pi) {
  using std::ceil, std::floor, std::log;
  const auto pair_of = [&](double turns) -> Number { return width * log(Number(original) / (two_pi * turns)) / (2 * log_base); };
  Number low = pair_of(r.beta_fast), high = pair_of(r.beta_slow);
  if (r.truncate) low = floor(low), high = ceil(high);
  low = std::max(low, Number(0)), high = std::min(high, Number(width - 1));
  if (low == high) high += 0.001;  // as in the code, to divide by something
  std::vector<Number> out;
  for (Index i = 0; i < width / 2; ++i) out.push_back(clamp01(Number((i - low) / (high - low))));
  return out;
}

template <class Number>
std::vector<Number> along_turns(const YarnRamp& r, const std::vector<Number>& plain, model::Pos original, const Number& two_pi) {
  std::vector<Number> out;
  for (const Number& theta : plain) {
    const Number turns = original * theta / two_pi;
    out.push_back(r.beta_fast > r.beta_slow
                      ? Number(1 - clamp01(Number((turns - r.beta_slow) / (Number(r.beta_fast) - r.beta_slow))))
                      : Number(turns < r.beta_slow ? 1 : 0));
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
  return ramp == Ramp::code ? along_index<Real>(*this, log(Real(base)), width, original, math::two_pi())
                            : along_turns<Real>(*this, geometric(base, width), original, math::two_pi());
}

std::vector<double> YarnRamp::near_shares(double base, Index width, model::Pos original) const {
  constexpr double two_pi = 2 * std::numbers::pi;
  if (ramp == Ramp::code) return along_index<double>(*this, std::log(base), width, original, two_pi);
  std::vector<double> plain;
  for (Index i = 0; i < width / 2; ++i) plain.push_back(std::pow(base, -2 * static_cast<double>(i) / static_cast<double>(width)));
  return along_turns<double>(*this, plain, original, two_pi);
}

Thetas YarnRamp::apply(const Thetas& plain, double base, model::Pos original, double factor) const {
  const std::vector<Real> share = shares(base, 2 * static_cast<Index>(plain.size()), original);
  Thetas out;
  for (std::size_t i = 0; i < plain.size(); ++i) out.push_back(plain[i] / factor * share[i] + plain[i] * (1 - share[i]));
  return out;
}

double yarn_magnitude(double factor, double k) { return factor <= 1 ? 1 : 0.1 * k * std::log(factor) + 1; }

}  // namespace posenc::schemes
