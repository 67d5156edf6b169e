#include "model/views/layout_match.hpp"

#include <algorithm>
#include <cmath>

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

double gap(double a, double b) { return a == b ? 0 : std::abs(a - b) / std::max(std::abs(a), std::abs(b)); }
bool near(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b)); }

}  // namespace

std::optional<PairMatch> match_pairs(const Rotary& a, const Rotary& b, Index head, const Closeness& close) {
  const bool plain = a.mix_cosine.empty() && b.mix_cosine.empty() && a.early_until == 0 && b.early_until == 0 && a.axes == 1 &&
                     b.axes == 1 && a.query_turn.empty() && b.query_turn.empty() && a.hyperbolic == b.hyperbolic;
  if (!plain || a.head_dim != b.head_dim ||
      !near(a.attention_factor, b.attention_factor, std::max(close.tolerance, close.stored)))
    return {};
  // The attention factor multiplies pairs that are listed, whether they turn or not.
  if (a.attention_factor != 1 && a.pairs() != b.pairs()) return {};
  const auto x = turning(a, head), y = turning(b, head);
  if (x.size() != y.size()) return {};
  PairMatch out;
  const double positions = std::max(1.0, static_cast<double>(close.last));
  const auto same = [&](double p, double q) {
    return std::abs(p - q) * positions <= close.tolerance || near(p, q, close.stored);
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!same(x[i].theta, y[i].theta) || !same(x[i].damping, y[i].damping)) return {};
    out.largest = std::max(out.largest, gap(x[i].theta, y[i].theta));
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

std::vector<Index> channel_order(const PairMatch& m, Index channels) {
  std::vector<Index> out(static_cast<std::size_t>(channels), -1);
  std::vector<bool> taken(out.size());
  for (std::size_t i = 0; i < m.channels_a.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      out[static_cast<std::size_t>(m.channels_a[i][k])] = m.channels_b[i][k];
      taken[static_cast<std::size_t>(m.channels_b[i][k])] = true;
    }
  std::size_t free = 0;
  for (Index& x : out) {
    if (x >= 0) continue;
    while (taken[free]) ++free;
    taken[free] = true;
    x = static_cast<Index>(free);
  }
  return out;
}

std::optional<std::vector<Index>> match_columns(const AbsoluteTable& a, const AbsoluteTable& b, Pos first, Index count,
                                                double tolerance) {
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
