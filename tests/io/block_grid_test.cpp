#include "io/block_grid.hpp"

#include "support/catch.hpp"

using posenc::io::Block;
using posenc::io::BlockGrid;

namespace {

// Every element of every block, by brute force: consecutive in C order, nothing left out, nothing twice.
std::uint64_t walk(const BlockGrid& grid, const std::vector<std::uint64_t>& dims, std::uint64_t total) {
  std::uint64_t next = 0, blocks = 0;
  while (next < total) {
    const Block b = grid.at(next);
    std::vector<std::uint64_t> index(dims.size(), 0);
    std::uint64_t volume = 1;
    for (const auto c : b.count) volume *= c;
    REQUIRE(volume == b.elements);
    for (std::uint64_t e = 0; e < volume; ++e) {
      std::uint64_t flat = 0, rest = e;
      for (std::size_t i = dims.size(); i-- > 0; rest /= b.count[i]) index[i] = b.offset[i] + rest % b.count[i];
      for (std::size_t i = 0; i < dims.size(); ++i) {
        if (i > 0) REQUIRE(index[i] < dims[i]);
        flat = flat * dims[i] + index[i];
      }
      REQUIRE(flat == next++);
    }
    for (std::size_t i = 0; i < dims.size(); ++i) REQUIRE(b.offset[i] % grid.shape()[i] == 0);  // as chunks must lie
    ++blocks;
  }
  return blocks;
}

}  // namespace

TEST_CASE("blocks are consecutive runs that cover an array once") {
  for (const std::vector<std::uint64_t>& dims : std::vector<std::vector<std::uint64_t>>{
           {1}, {7}, {1000}, {10, 3}, {3, 10}, {4, 5, 6}, {2, 1, 33}, {5, 1, 1}, {2, 3, 4, 5}})
    for (const std::uint64_t limit : {1, 2, 3, 7, 10, 24, 60, 1000}) {
      const BlockGrid grid(dims, false, limit);
      std::uint64_t total = 1;
      for (const auto d : dims) total *= d;
      CHECK(grid.capacity() <= limit);
      const std::uint64_t blocks = walk(grid, dims, total);
      CHECK(blocks * grid.capacity() >= total);
      for (std::size_t i = 0; i < dims.size(); ++i) CHECK(grid.shape()[i] <= dims[i]);
    }
}

TEST_CASE("the cut axis is divided evenly") {
  CHECK(BlockGrid({1001}, false, 1000).shape() == std::vector<std::uint64_t>{501});
  CHECK(BlockGrid({8, 1'000'001}, false, 131072).shape() == std::vector<std::uint64_t>{1, 125001});
}

TEST_CASE("a growing axis has blocks without end") {
  const BlockGrid grid({0, 3}, true, 10);
  CHECK(grid.shape() == std::vector<std::uint64_t>{3, 3});
  CHECK(walk(grid, {0, 3}, 90) == 10);
  const BlockGrid cut({0, 30}, true, 10);
  CHECK(cut.shape() == std::vector<std::uint64_t>{1, 10});
  CHECK(walk(cut, {0, 30}, 300) == 30);
}

TEST_CASE("an empty array and a scalar have usable shapes") {
  CHECK(BlockGrid({0, 5}, false, 100).shape() == std::vector<std::uint64_t>{1, 5});
  CHECK(BlockGrid({5, 0}, false, 100).shape() == std::vector<std::uint64_t>{5, 1});
  CHECK(BlockGrid({}, false, 100).capacity() == 1);
}
