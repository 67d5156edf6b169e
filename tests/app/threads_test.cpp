#include "app/threads.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

#include <sched.h>
#include <cstdlib>

using posenc::app::thread_count;

namespace {
struct Environment {
  Environment() { clear(); }
  ~Environment() { clear(); }
  static void clear() { unsetenv("OMP_NUM_THREADS"), unsetenv("SLURM_CPUS_PER_TASK"); }
};
}  // namespace

TEST_CASE("--threads, then OMP_NUM_THREADS, then SLURM_CPUS_PER_TASK, then the affinity mask") {
  const Environment cleared;
  cpu_set_t mask;
  REQUIRE(sched_getaffinity(0, sizeof mask, &mask) == 0);
  CHECK(thread_count({}) == CPU_COUNT(&mask));
  setenv("SLURM_CPUS_PER_TASK", "7", 1);
  CHECK(thread_count({}) == 7);
  setenv("OMP_NUM_THREADS", "5,2", 1);
  CHECK(thread_count({}) == 5);
  CHECK(thread_count(3) == 3);
}

TEST_CASE("a single CPU in the mask gives a single thread") {
  const Environment cleared;
  cpu_set_t before, one;
  REQUIRE(sched_getaffinity(0, sizeof before, &before) == 0);
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  REQUIRE(sched_setaffinity(0, sizeof one, &one) == 0);
  CHECK(thread_count({}) == 1);
  REQUIRE(sched_setaffinity(0, sizeof before, &before) == 0);
}

TEST_CASE("a variable that is no positive number is refused, an empty one is not set") {
  const Environment cleared;
  for (const char* bad : {"two", "0", "-1", "1.5", "99999"}) {
    setenv("OMP_NUM_THREADS", bad, 1);
    CHECK_THROWS_AS(thread_count({}), posenc::UsageError);
  }
  setenv("OMP_NUM_THREADS", "", 1);
  CHECK_NOTHROW(thread_count({}));
}
