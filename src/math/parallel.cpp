#include "math/parallel.hpp"

#include <omp.h>

namespace posenc::math {

void set_threads(int count) { omp_set_num_threads(count); }
int threads() { return omp_get_max_threads(); }

void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) {
#pragma omp parallel for schedule(dynamic, 1)
  for (std::int64_t i = 0; i < count; ++i) task(i);
}

}  // namespace posenc::math
