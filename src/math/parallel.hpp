#pragma once
// math: the one way to run a loop on several threads. What a task computes must not depend on the thread that runs it.
#include <algorithm>
#include <cstdint>
#include <functional>

namespace posenc::math {

/// Number of threads used from now on (the program's --threads).
void set_threads(int count);
int threads();

/// Runs task(i) for i = 0..count-1, each once, in any order and on any thread. Tasks must not throw and must write to
/// disjoint places.
void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task);

/// Splits 0..total-1 into blocks of `block` (the last may be shorter) and runs task(first, count) for each. The grid
/// depends on total and block only, never on the number of threads.
inline void parallel_blocks(std::int64_t total, std::int64_t block,
                            const std::function<void(std::int64_t first, std::int64_t count)>& task) {
  parallel_for((total + block - 1) / block, [&](std::int64_t b) {
    const std::int64_t first = b * block;
    task(first, std::min(block, total - first));
  });
}

}  // namespace posenc::math
