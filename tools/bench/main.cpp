// bench: posenc_bench --list | --small | --serve
// Served, it reads lines "JOB THREADS", does the job once and then its limit once, and answers with wall and processor seconds of
// both: "job_wall job_cpu limit_wall limit_cpu" (zeros without a limit). bench.py alternates these with other libraries' runs.
#include "jobs.hpp"
#include "math/instruction_set.hpp"
#include "math/parallel.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <iostream>
#include <string>

namespace {

struct Seconds {
  double wall = 0, cpu = 0;
};

Seconds timed(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  if (!work) return {};
  const auto start = Clock::now();
  const std::clock_t used = std::clock();
  work();
  return {std::chrono::duration<double>(Clock::now() - start).count(), static_cast<double>(std::clock() - used) / CLOCKS_PER_SEC};
}

void once(const posenc::bench::Job& job) {
  const Seconds own = timed(job.run), limit = timed(job.bound);
  std::printf("%.6f %.6f %.6f %.6f\n", own.wall, own.cpu, limit.wall, limit.cpu);
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** words) {
  const std::string mode = count == 2 ? words[1] : "";
  if (mode != "--list" && mode != "--small" && mode != "--serve") {
    std::fputs("usage: posenc_bench --list | --small | --serve\n", stderr);
    return 64;
  }
  const auto jobs = posenc::bench::jobs(mode != "--serve");
  if (mode == "--list") {
    std::printf("instruction set %s\n", std::string(posenc::math::instruction_set()).c_str());
    for (const auto& job : jobs) std::printf("%s %s\n", job.name.c_str(), job.limit.empty() ? "-" : job.limit.c_str());
    return 0;
  }
  if (mode == "--small") {
    for (const auto& job : jobs) std::printf("%s ", job.name.c_str()), once(job);
    return 0;
  }
  std::string name;
  int threads = 1;
  while (std::cin >> name >> threads) {
    const auto job = std::find_if(jobs.begin(), jobs.end(), [&](const auto& j) { return j.name == name; });
    if (job == jobs.end()) return 64;
    posenc::math::set_threads(threads);
    once(*job);
  }
  return 0;
}
