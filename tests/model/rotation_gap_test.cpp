#include "model/views/rotation_gap.hpp"

#include "support/catch.hpp"
#include "support/hand_built.hpp"

#include <cmath>
#include <numbers>

using namespace posenc;
using namespace posenc::model;

namespace {

constexpr double turn = 2 * std::numbers::pi;

Encoding rotation(Index channels, double base, bool interleaved, Index rotated, double factor = 1) {
  Rotary r;
  r.head_dim = channels, r.attention_factor = factor;
  for (Index j = 0; j < rotated / 2; ++j) {
    const double theta = std::pow(base, -2.0 * static_cast<double>(j) / static_cast<double>(rotated));
    r.frequency.push_back(test::frequency(theta));
    r.channel.push_back(interleaved ? std::array{2 * j, 2 * j + 1} : std::array{j, j + rotated / 2});
  }
  Encoding e;
  e.terms = {r}, e.head_dim = channels, e.logit_scale = 1 / std::sqrt(static_cast<double>(channels));
  return e;
}

/// By the definition: angles of every pair at every position until one is pi/2 off.
Pos first_quarter(double base_a, double base_b, Index channels, Index& pair) {
  for (Pos p = 1;; ++p) {
    double most = 0;
    for (Index j = 0; j < channels / 2; ++j) {
      const double power = -2.0 * static_cast<double>(j) / static_cast<double>(channels);
      const double gap = static_cast<double>(p) * std::abs(std::pow(base_a, power) - std::pow(base_b, power));
      if (gap > most) most = gap, pair = j;
    }
    if (most >= turn / 4) return p;
  }
}

}  // namespace

TEST_CASE("another base parts where its angles do") {
  for (const double base : {20000.0, 500000.0, 1e6}) {
    Index pair = -1;
    const Pos expected = first_quarter(base, 10000, 128, pair);
    const RotationGap gap = rotation_gap(rotation(128, base, false, 128), rotation(128, 10000, false, 128), 131071);
    CHECK(gap.quarter_turn_at() == expected);
    CHECK(gap.channel == pair);  // the first of the pair's two
    CHECK(gap.turning == 128);
    CHECK(gap.score_ratio == 1);
  }
}

TEST_CASE("channels a quarter turn off are counted at the last position asked for") {
  const Encoding a = rotation(8, 10000, false, 8), none = rotation(8, 10000, false, 0);
  // theta = 1, .1, .01, .001: pi/2 is reached at positions 2, 16, 158, 1571
  CHECK(rotation_gap(a, none, 1).quarter_off == 0);
  CHECK(rotation_gap(a, none, 2).quarter_off == 2);
  CHECK(rotation_gap(a, none, 157).quarter_off == 4);
  CHECK(rotation_gap(a, none, 158).quarter_off == 6);
  CHECK(rotation_gap(a, none, 1570).quarter_off == 6);
  CHECK(rotation_gap(a, none, 1571).quarter_off == 8);
  CHECK(rotation_gap(a, none, 1571).quarter_turn_at() == 2);
}

TEST_CASE("another layout turns channels by other frequencies") {
  const RotationGap gap = rotation_gap(rotation(8, 10000, false, 8), rotation(8, 10000, true, 8), 10);
  // half split: 1 .1 .01 .001 1 .1 .01 .001; interleaved: 1 1 .1 .1 .01 .01 .001 .001; channel 4 differs by .99
  CHECK(gap.channel == 4);
  CHECK(std::abs(gap.speed * turn - 0.99) <= 1e-15);
}

TEST_CASE("attention factors and scales multiply the scores") {
  const Encoding a = rotation(8, 10000, false, 8, 1.25), b = rotation(8, 10000, false, 8);
  CHECK(std::abs(rotation_gap(a, b, 10).score_ratio - 0.64) <= 1e-15);
  CHECK(rotation_gap(a, b, 10).channel == -1);
  CHECK(rotation_gap(a, b, 10).quarter_turn_at() == Pos{1} << 53);
  Encoding c = b;
  c.logit_scale *= 3;
  CHECK(std::abs(rotation_gap(b, c, 10).score_ratio - 3) <= 1e-15);
}
