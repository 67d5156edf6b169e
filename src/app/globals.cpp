#include "app/globals.hpp"

#include <array>

namespace posenc::app {

Fields Globals::fields() {
  static constexpr std::array<std::string_view, 3> modes{"auto", "always", "never"};
  return {
      {"json", "1", "print one JSON object on stdout at the end", &json},
      {"quiet", "1", "print no notes and no summary", &quiet},
      {"verbose", "1", "say what is being computed, and how long it took", &verbose},
      {"progress", "1", "show progress on stderr; auto: only on a terminal", choice(progress, modes)},
      {"threads", "1", "number of threads; the results never depend on it", &threads, between(1, 4096),
       "OMP_NUM_THREADS, then SLURM_CPUS_PER_TASK, then the CPUs this process may use"},
  };
}

}  // namespace posenc::app
