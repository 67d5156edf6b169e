#include "io/block_grid.hpp"

#include <algorithm>

namespace posenc::io {

BlockGrid::BlockGrid(std::vector<std::uint64_t> dims, bool grows, std::uint64_t limit) : dims_(std::move(dims)), grows_(grows) {
  if (dims_.empty()) dims_ = {1};
  shape_.assign(dims_.size(), 1);
  for (axis_ = dims_.size() - 1; axis_ > 0 && inner_ * dims_[axis_] <= limit; --axis_) {
    shape_[axis_] = std::max<std::uint64_t>(dims_[axis_], 1);
    inner_ *= shape_[axis_];
  }
  const std::uint64_t most = std::max<std::uint64_t>(limit / inner_, 1);
  if (grows_ && axis_ == 0) {
    shape_[0] = most;
  } else {
    const std::uint64_t n = std::max<std::uint64_t>(dims_[axis_], 1), parts = (n + most - 1) / most;
    shape_[axis_] = (n + parts - 1) / parts;
  }
}

Block BlockGrid::at(std::uint64_t first) const {
  Block b;
  b.offset.assign(dims_.size(), 0);
  b.count = shape_;
  std::uint64_t index = first / inner_;  // over the axes up to the cut one
  const bool endless = grows_ && axis_ == 0;
  if (endless) {
    b.offset[0] = index;
  } else {
    b.offset[axis_] = index % dims_[axis_];
    b.count[axis_] = std::min(shape_[axis_], dims_[axis_] - b.offset[axis_]);
    index /= dims_[axis_];
    for (std::size_t i = axis_; i-- > 0;) {
      b.offset[i] = i == 0 ? index : index % dims_[i];
      if (i > 0) index /= dims_[i];
    }
  }
  b.elements = b.count[axis_] * inner_;
  return b;
}

}  // namespace posenc::io
