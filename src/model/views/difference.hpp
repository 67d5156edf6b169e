#pragma once
// model: how far the arrays of two encodings are apart, and where.
#include "model/views/arrays.hpp"

#include <optional>

namespace posenc::model {

/// Coordinates of an element, slowest first: {"position", 17}, {"pair", 3}.
using Place = std::vector<std::pair<std::string, Pos>>;

/// One named array of both encodings. Distances are |a - b|, of frequencies and wavelengths |a - b| / max(|a|, |b|); two NaN are
/// equal, one is infinitely far.
struct ArrayDifference {
  std::string variable;
  double largest = 0;
  Place where;                 // of the largest
  std::optional<Place> first;  // first element beyond the tolerance, in C order
  std::string mismatch;        // why there is nothing to subtract: "only in the first", "shapes 4 x 8 and 4 x 16"
};

/// Every array of arrays(a, request) and arrays(b, request) but the coordinates that count, in the order of the first, then what
/// only the second has. Streams in blocks; nothing is held whole.
std::vector<ArrayDifference> differences(const Encoding& a, const Encoding& b, const Request& request, double tolerance);

/// Which channel pair of b turns as each pair of a, whatever the layout. Angles agree to `tolerance` at every
/// position up to `last`; a pair that turns the other way has its channels exchanged; pairs that do not turn are left out on both sides.
struct PairMatch {
  std::vector<std::array<Index, 2>> channels_a, channels_b;  // of matched pairs, by falling frequency
  bool same() const { return channels_a == channels_b; }
};
/// Empty where the pairs' frequencies, damping or attention factors are not the same set, or mixed spectra or several axes are
/// not the same pair by pair.
std::optional<PairMatch> match_pairs(const Rotary& a, const Rotary& b, Index head, Pos last, double tolerance);

/// "interleaved", "half_split" or "other": how the channels of pairs by falling frequency lie.
std::string layout_word(const std::vector<std::array<Index, 2>>& channels);

/// Column of b that equals each column of a to `tolerance` at positions first .. first + count - 1; empty where there is none.
std::optional<std::vector<Index>> match_columns(const AbsoluteTable& a, const AbsoluteTable& b, Pos first, Index count, double tolerance);

}  // namespace posenc::model
