#pragma once
// bench: one job a kernel, with the limit that it is held against.
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace posenc::bench {

struct Job {
  std::string name;
  std::string limit;  // store, multiply_add, square_root; empty: none
  std::function<void()> run;
  std::function<void()> bound;  // the least work of that limit that the job's definition asks for
};

/// The same sizes as in bench.py; `small` divides them for a smoke test.
std::vector<Job> jobs(bool small);

}  // namespace posenc::bench
