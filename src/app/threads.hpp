#pragma once
// app: how many threads to use.
#include <cstdint>
#include <optional>

namespace posenc::app {

/// --threads, else OMP_NUM_THREADS (its first number), else SLURM_CPUS_PER_TASK, else the CPUs in this process's affinity
/// mask; never the machine's number of cores. Throws UsageError for a variable that is no positive integer.
int thread_count(std::optional<std::int64_t> given);

}  // namespace posenc::app
