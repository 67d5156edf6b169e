#include "app/threads.hpp"

#include "core/error.hpp"
#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <thread>
#ifdef __linux__
#include <sched.h>
#endif

namespace posenc::app {
namespace {

constexpr std::int64_t most = 4096;

std::optional<int> from_environment(const char* name) {
  const char* value = std::getenv(name);
  if (!value || !*value) return {};
  const std::string_view all(value);
  const std::int64_t n = parse_integer(name, all.substr(0, all.find(',')));
  if (n < 1 || n > most) throw UsageError(fmt::format("{} = {}: must be >= 1, <= {}", name, value, most));
  return static_cast<int>(n);
}

int available() {
#ifdef __linux__
  cpu_set_t mask;
  if (sched_getaffinity(0, sizeof mask, &mask) == 0) return std::max(1, CPU_COUNT(&mask));
#endif
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace

int thread_count(std::optional<std::int64_t> given) {
  if (given) return static_cast<int>(*given);
  if (const auto n = from_environment("OMP_NUM_THREADS")) return *n;
  if (const auto n = from_environment("SLURM_CPUS_PER_TASK")) return *n;
  return available();
}

}  // namespace posenc::app
