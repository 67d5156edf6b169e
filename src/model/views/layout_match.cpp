#include "model/views/difference.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::model {
namespace {

struct Turning {
  double theta, damping;
  std::array<Index, 2> channel;
};

/// Pairs that turn, by falling frequency; those that turn backwards with their channels exchanged.
std::vector<Turning> turning(const Rotary& r, Index head) {
  std::vector<Turning> out;
  for (Index j = 0; j < r.pairs(); ++j) {
    double theta = 0;
    for (Index axis = 0; axis < r.axes; ++axis) theta += r.at(head, axis, j).theta;
    auto channel = r.channel[static_cast<std::size_t>(j)];
    if (theta < 0) std::swap(channel[0], channel[1]);
    const double damping = r.log_damping.empty() ? 0 : r.log_damping[static_cast<std::size_t>(j)];
    if (theta != 0) out.push_back({std::abs(theta), damping, channel});
  }
  std::stable_sort(out.begin(), out.end(), [](const Turning& a, const Turning& b) { return a.theta > b.theta; });
  return out;
}

bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

}  // namespace

std::optional<PairMatch> match_pairs(const Rotary& a, const Rotary& b, Index head, Pos last, double tolerance) {
  const bool plain = a.mix_cosine.empty() && b.mix_cosine.empty() && a.early_until == 0 && b.early_until == 0 && a.axes == 1 && b.axes == 1 &&
                     a.query_turn.empty() && b.query_turn.empty() && a.hyperbolic == b.hyperbolic;
  if (!plain || a.head_dim != b.head_dim || !near(a.attention_factor, b.attention_factor, tolerance)) return {};
  // The attention factor multiplies pairs that are listed, whether they turn or not.
  if (a.attention_factor != 1 && a.pairs() != b.pairs()) return {};
  const auto x = turning(a, head), y = turning(b, head);
  if (x.size() != y.size()) return {};
  PairMatch out;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double positions = std::max(1.0, static_cast<double>(last));
    if (std::abs(x[i].theta - y[i].theta) * positions > tolerance) return {};
    if (std::abs(x[i].damping - y[i].damping) * positions > tolerance) return {};
    out.channels_a.push_back(x[i].channel), out.channels_b.push_back(y[i].channel);
  }
  return out;
}

std::string layout_word(const std::vector<std::array<Index, 2>>& channels) {
  const auto pairs = static_cast<Index>(channels.size());
  const auto all = [&](const auto& is) {
    for (Index i = 0; i < pairs; ++i)
      if (channels[static_cast<std::size_t>(i)] != is(i)) return false;
    return true;
  };
  if (all([](Index i) { return std::array<Index, 2>{2 * i, 2 * i + 1}; })) return "interleaved";
  // The distance to the partner is half the rotated width, pairs that do not turn included.
  const Index half = channels.empty() ? 0 : channels[0][1] - channels[0][0];
  if (half >= pairs && all([half](Index i) { return std::array<Index, 2>{i, i + half}; })) return "half_split";
  return "other";
}

std::optional<std::vector<Index>> match_columns(const AbsoluteTable& a, const AbsoluteTable& b, Pos first, Index count, double tolerance) {
  const Index D = a.rows->channels();
  if (b.rows->channels() != D) return {};
  Matrix p(count, D), q(count, D);
  for (Index i = 0; i < count; ++i) {
    a.rows->block(a.row(first + i), p.middleRows(i, 1));
    b.rows->block(b.row(first + i), q.middleRows(i, 1));
  }
  std::vector<bool> taken(static_cast<std::size_t>(D));
  std::vector<Index> out;
  for (Index c = 0; c < D; ++c) {
    Index found = -1;
    for (Index k = 0; k < D && found < 0; ++k) {
      if (taken[static_cast<std::size_t>(k)]) continue;
      Index i = 0;
      while (i < count && std::abs(p(i, c) - q(i, k)) <= tolerance) ++i;
      if (i == count) found = k;
    }
    if (found < 0) return {};
    taken[static_cast<std::size_t>(found)] = true;
    out.push_back(found);
  }
  return out;
}

}  // namespace posenc::model
