#include "model/views/array_parts.hpp"
#include "model/views/lag_forms.hpp"
#include "model/views/rotary_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace posenc::model {
namespace {

Matrix frequencies(const Rotary& r, Index head, Index axis_, bool wavelength) {
  Matrix out(r.pairs(), 1);
  for (Index j = 0; j < r.pairs(); ++j) {
    double theta = 0;
    for (Index a = 0; a < r.axes; ++a)
      if (axis_ < 0 || axis_ == a) theta += r.at(head, a, j).theta;
    out(j, 0) = !wavelength  ? theta
                : theta == 0 ? std::numeric_limits<double>::quiet_NaN()
                             : 2 * std::numbers::pi / std::abs(theta);
  }
  return out;
}

template <class Of>
Matrix by_head(Index heads, Index pairs, const Of& of) {
  Matrix out(heads, pairs);
  for (Index h = 0; h < heads; ++h) out.row(h) = of(h).transpose();
  return out;
}

/// Hyperbolic pairs by lag: the factors of a query or key alone leave the range of doubles.
void add_boosts(Groups& g, const Encoding& e, const Rotary& r, const Request& q, Type type) {
  const Index P = r.pairs();
  const Dimension pair = axis("pair", P), lag = axis("lag", q.length);
  Matrix falls(P, 1);
  for (Index j = 0; j < P; ++j) falls(j, 0) = r.log_damping.empty() ? 0 : r.log_damping[static_cast<std::size_t>(j)];
  g.push_back(
      constant({pair}, real("rapidity", {"pair"}, "position-1", "hyperbolic angle per position"), frequencies(r, 0, -1, false)));
  g.push_back(
      constant({pair}, real("log_damping", {"pair"}, "position-1", "logarithm of a pair's factor per position of lag"), falls));
  g.push_back(counting("lag", q.length, 0, "position", "query position minus key position"));
  g.push_back({{lag, pair},
               {real("cosh", {"lag", "pair"}, "1", "hyperbolic cosine of lag times rapidity, damping included", type),
                real("sinh", {"lag", "pair"}, "1", "hyperbolic sine of lag times rapidity, damping included", type)},
               [e, r, P, last = q.start + q.length - 1](Pos first, Index count, const Out& out) {
                 for (Index i = 0; i < count; ++i)
                   relative_rotation(e, r, 0, last, last - first - i, out[0] + i * P, out[1] + i * P);
               }});
}

}  // namespace

void add_rotary(Groups& g, const Encoding& e, const Rotary& r, const Request& q, Type type) {
  const Index P = r.pairs(), H = r.per_head ? r.heads : 1;
  const Dimension pair = axis("pair", P), head = axis("head", H);
  g.push_back(counting("pair", P, 0, "1", "index of a rotated channel pair"));
  if (r.per_head) g.push_back(counting("head", H, 0, "1", "attention head"));
  if (P == 0) return;
  if (r.hyperbolic) return add_boosts(g, e, r, q, type);
  if (!r.query_turn.empty()) {
    Matrix turn(H, P);
    for (Index h = 0; h < H; ++h)
      turn.row(h).setConstant(2 * std::numbers::pi * math::signed_turns(r.query_turn[static_cast<std::size_t>(h)]));
    g.push_back(
        constant({head, pair}, real("query_turn", {"head", "pair"}, "rad", "added to the angle of a query's pair"), turn));
  }
  const auto spectral = [&](const char* name, const char* unit, const char* about, bool wavelength) {
    if (r.per_head)
      g.push_back(constant({head, pair}, real(name, {"head", "pair"}, unit, about),
                           by_head(H, P, [&](Index h) { return frequencies(r, h, -1, wavelength); })));
    else
      g.push_back(constant({pair}, real(name, {"pair"}, unit, about), frequencies(r, 0, -1, wavelength)));
  };
  spectral("frequency", "rad position-1", "angle per position, all coordinates advancing together", false);
  spectral("wavelength", "position", "positions per turn; NaN where the pair does not turn", true);
  if (r.axes > 1 && !r.per_head) {
    g.push_back(counting("axis", r.axes, 0, "1", "coordinate of a position: 0 temporal, 1 height, 2 width"));
    g.push_back(constant({axis("axis", r.axes), pair},
                         real("axis_frequency", {"axis", "pair"}, "rad position-1", "angle per position along one coordinate"),
                         by_head(r.axes, P, [&](Index a) { return frequencies(r, 0, a, false); })));
  }
  Matrix first(P, 1), second(P, 1);
  for (Index j = 0; j < P; ++j) {
    const auto& c = r.channel[static_cast<std::size_t>(j)];
    first(j, 0) = static_cast<double>(c[0]), second(j, 0) = static_cast<double>(c[1]);
  }
  g.push_back(
      constant({pair}, real("channel_first", {"pair"}, "1", "channel a of the pair: a' = a cos - b sin", Type::i64), first));
  g.push_back(
      constant({pair}, real("channel_second", {"pair"}, "1", "channel b of the pair: b' = b cos + a sin", Type::i64), second));

  std::vector<std::string> names =
      r.per_head ? std::vector<std::string>{"position", "head", "pair"} : std::vector<std::string>{"position", "pair"};
  std::vector<Dimension> dims = r.per_head ? std::vector<Dimension>{axis("position", q.length), head, pair}
                                           : std::vector<Dimension>{axis("position", q.length), pair};
  g.push_back(counting("position", q.length, q.start, "position", "token position"));
  g.push_back({dims,
               {real("cos", names, "1", "cosine of the pair's angle, attention factor included", type),
                real("sin", names, "1", "sine of the pair's angle, attention factor included", type)},
               [e, r, H, P, start = q.start](Pos first_row, Index count, const Out& out) {
                 Matrix c(count, P), s(count, P);
                 for (Index h = 0; h < H; ++h) {
                   rotary_rows(e, r, h, start + first_row, c, s);
                   for (Index i = 0; i < count; ++i) {
                     std::copy_n(c.row(i).data(), P, out[0] + (i * H + h) * P);
                     std::copy_n(s.row(i).data(), P, out[1] + (i * H + h) * P);
                   }
                 }
               }});
  if (!r.log_damping.empty())
    g.push_back({{axis("position", q.length), pair},
                 {real("damping", {"position", "pair"}, "1", "factor of a query's pair; a key's is its reciprocal", type)},
                 [r, P, start = q.start](Pos first_row, Index count, const Out& out) {
                   for (Index i = 0; i < count; ++i)
                     for (Index j = 0; j < P; ++j)
                       out[0][i * P + j] = std::exp(r.log_damping[static_cast<std::size_t>(j)] *
                                                    (static_cast<double>(start + first_row + i) - r.damping_centre));
                 }});
}

}  // namespace posenc::model
