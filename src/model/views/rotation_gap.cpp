#include "model/views/rotation_gap.hpp"

#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::model {
namespace {

constexpr Pos beyond = Pos{1} << 53;

/// Turns per position of every channel; of several axes their sum, which is what text turns by.
std::vector<math::Turn> turns(const Encoding& e, Index channels) {
  std::vector<math::Turn> out(static_cast<std::size_t>(channels));
  const auto* r = form<Rotary>(e);
  if (!r) return out;
  for (Index j = 0; j < r->pairs(); ++j) {
    math::Turn sum;
    for (Index axis = 0; axis < r->axes; ++axis) sum = sum + r->at(0, axis, j).turn;
    for (const Index c : r->channel[static_cast<std::size_t>(j)]) out[static_cast<std::size_t>(c)] = sum;
  }
  return out;
}

double amplitude(const Encoding& e) {
  const auto* r = form<Rotary>(e);
  return r ? r->attention_factor : 1;
}

Pos quarter(double speed) {
  const double at = std::ceil(0.25 / speed);
  return at < static_cast<double>(beyond) ? static_cast<Pos>(at) : beyond;
}

}  // namespace

Pos RotationGap::quarter_turn_at() const { return speed > 0 ? quarter(speed) : beyond; }

RotationGap rotation_gap(const Encoding& a, const Encoding& b, Pos last) {
  const Index channels = std::max(a.head_dim, b.head_dim);
  const auto x = turns(a, channels), y = turns(b, channels);
  RotationGap out;
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (x[c] == math::Turn{} && y[c] == math::Turn{}) continue;
    ++out.turning;
    const double speed = std::abs(math::signed_turns(x[c] - y[c]));
    if (speed > 0 && quarter(speed) <= last) ++out.quarter_off;
    if (speed > out.speed) out.speed = speed, out.channel = static_cast<Index>(c);
  }
  const auto softmax = [](const Encoding& e) { return e.logit_scale * std::sqrt(static_cast<double>(e.head_dim)); };
  out.score_ratio = std::pow(amplitude(b) / amplitude(a), 2) * softmax(b) / softmax(a);
  return out;
}

}  // namespace posenc::model
