#include "math/parallel.hpp"

#include <Eigen/Core>

namespace {
/// Eigen cuts its products by the sizes of the caches and would ask the processor for them: constants make the order of every
/// sum, and so its bits, the same on all machines of one instruction set.
[[maybe_unused]] const bool products_cut_alike = [] {
  constexpr std::ptrdiff_t first_level = 32 << 10, second_level = 512 << 10, third_level = 4 << 20;
  Eigen::setCpuCacheSizes(first_level, second_level, third_level);
  return true;
}();
}  // namespace

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define POSENC_WATCHED
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define POSENC_WATCHED
#endif

#if defined(POSENC_WATCHED) || !defined(_OPENMP)
// The thread sanitizer does not see the synchronisation inside GNU OpenMP, and clang comes without: plain threads stand in.
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

namespace posenc::math {
namespace {
std::atomic<int> wanted{0};
thread_local bool inside = false;
}  // namespace

void set_threads(int count) { wanted = count; }
int threads() { return wanted > 0 ? wanted.load() : static_cast<int>(std::max(1U, std::thread::hardware_concurrency())); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
  std::atomic<std::int64_t> next{0};
  const auto work = [&] {
    const bool outer = std::exchange(inside, true);
    for (std::int64_t i = next++; i < count; i = next++) task(i);
    inside = outer;
  };
  std::vector<std::jthread> team;
  if (!inside)
    for (std::int64_t k = 1; k < std::min<std::int64_t>(threads(), count); ++k) team.emplace_back(work);
  work();
}

}  // namespace posenc::math
#else
#include <omp.h>

namespace posenc::math {

void set_threads(int count) { omp_set_num_threads(count); }
int threads() { return omp_get_max_threads(); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
#pragma omp parallel for schedule(dynamic, 1) if (count > 1)
  for (std::int64_t i = 0; i < count; ++i) task(i);
}

}  // namespace posenc::math
#endif
