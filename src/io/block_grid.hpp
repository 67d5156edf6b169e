#pragma once
// io: how an array is cut into the pieces that are written at once.
#include <cstdint>
#include <vector>

namespace posenc::io {

/// One piece: its corner, its extent, and the number of elements, which follow each other in C order.
struct Block {
  std::vector<std::uint64_t> offset, count;
  std::uint64_t elements = 0;
};

/// Cuts a C-order array into equal blocks that are each a run of consecutive elements, so that data arriving in order fills
/// one block after the other: single indices of the leading axes, a part of one axis, all of the axes after it. Blocks at the
/// end of the cut axis may be shorter. The cut depends on the shape alone.
class BlockGrid {
 public:
  /// A block has at most `limit` elements (limit >= 1). `grows`: the first axis has no end, its size is ignored.
  BlockGrid(std::vector<std::uint64_t> dims, bool grows, std::uint64_t limit);

  /// The shape of a full block; every extent at least 1.
  const std::vector<std::uint64_t>& shape() const { return shape_; }
  std::uint64_t capacity() const { return shape_[axis_] * inner_; }
  /// The block that starts at element `first`, which must be the start of a block.
  Block at(std::uint64_t first) const;

 private:
  std::vector<std::uint64_t> dims_, shape_;
  bool grows_;
  std::size_t axis_ = 0;     // the one that is cut
  std::uint64_t inner_ = 1;  // elements of one index of it
};

}  // namespace posenc::io
