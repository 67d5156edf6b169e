#include "math/parallel.hpp"

#include "support/catch.hpp"
#include "support/math_reference.hpp"

#include <atomic>

using namespace posenc::math;
using posenc::test::at_thread_counts;

TEST_CASE("each task runs once") {
  for (const std::int64_t count : {0, 1, 2, 1000}) {
    const auto runs = at_thread_counts([&] {
      std::vector<std::atomic<int>> times(static_cast<std::size_t>(count));
      parallel_for(count, [&](std::int64_t i) { ++times[static_cast<std::size_t>(i)]; });
      return std::all_of(times.begin(), times.end(), [](const auto& n) { return n == 1; });
    });
    for (const bool once : runs) CHECK(once);
  }
}

TEST_CASE("blocks cover the range, whatever the number of threads") {
  for (const std::int64_t total : {0, 1, 9, 10, 11, 999}) {
    const auto runs = at_thread_counts([&] {
      std::vector<std::int64_t> owner(static_cast<std::size_t>(total), -1);
      parallel_blocks(total, 10, [&](std::int64_t first, std::int64_t count) {
        for (std::int64_t i = first; i < first + count; ++i) owner[static_cast<std::size_t>(i)] = first;
      });
      return owner;
    });
    for (const auto& owner : runs)
      for (std::size_t i = 0; i < owner.size(); ++i) CHECK(owner[i] == static_cast<std::int64_t>(i / 10 * 10));
  }
}

TEST_CASE("loops may be nested") {
  std::atomic<int> sum{0};
  parallel_for(7, [&](std::int64_t) { parallel_for(11, [&](std::int64_t) { ++sum; }); });
  CHECK(sum == 77);
}
