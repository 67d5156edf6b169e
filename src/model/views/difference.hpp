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
  Place where{};                 // of the largest
  std::optional<Place> first{};  // first element beyond the tolerance, in C order
  std::string mismatch{};        // why there is nothing to subtract: "only in the first", "head: 8 against 16"
  std::string looked{};          // which rows were compared, where there are more than most_compared elements

  bool apart() const { return first.has_value() || !mismatch.empty(); }
};

/// Elements of one array that are compared, in whole blocks of half a million; of a longer one the first half as many, then
/// blocks at equal distances to the end.
inline constexpr std::uint64_t most_compared = std::uint64_t{1} << 28;

/// Every array of arrays(a, request) and arrays(b, request) but the coordinates that count, in the order of the first, then what
/// only the second has. Streams in blocks; nothing is held whole. Rotations by the same exact turns are known to be equal.
std::vector<ArrayDifference> differences(const Encoding& a, const Encoding& b, const Request& request, double tolerance,
                                         std::uint64_t most = most_compared);

}  // namespace posenc::model
