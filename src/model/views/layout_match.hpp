#pragma once
// model: whether two encodings are the same kernel with the channels in another order, and which order.
#include "model/encoding.hpp"

#include <optional>

namespace posenc::model {

/// What counts as the same rotation: angles within `tolerance` at every position up to `last`, or frequencies and attention
/// factors within `stored` of each other, relative (numbers that a file holds rounded).
struct Closeness {
  Pos last = 1;
  double tolerance = 0, stored = 0;
};

/// Which channel pair of b turns as each pair of a, whatever the layout. A pair that turns the other way has its channels
/// exchanged; pairs that do not turn are left out on both sides.
struct PairMatch {
  std::vector<std::array<Index, 2>> channels_a, channels_b;  // of matched pairs, by falling frequency
  double largest = 0;                                        // relative distance of matched frequencies
  bool same() const { return channels_a == channels_b; }
};
/// Empty where the pairs' frequencies, damping or attention factors are not the same set, or mixed spectra or several axes are
/// not the same pair by pair.
std::optional<PairMatch> match_pairs(const Rotary& a, const Rotary& b, Index head, const Closeness& close);

/// "interleaved", "half_split" or "other": how the channels of pairs by falling frequency lie.
std::string layout_word(const std::vector<std::array<Index, 2>>& channels);

/// Channel of b for each channel of a, from matched pairs; channels that do not turn keep their order.
std::vector<Index> channel_order(const PairMatch& match, Index channels);

/// Column of b that equals each column of a to `tolerance` at positions first .. first + count - 1; empty where there is none.
std::optional<std::vector<Index>> match_columns(const AbsoluteTable& a, const AbsoluteTable& b, Pos first, Index count,
                                                double tolerance);

}  // namespace posenc::model
