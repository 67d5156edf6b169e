#pragma once
// io: damaged files must not look like a crash of the program. Private to this room.
#include <csignal>
#include <string>

namespace posenc::io {

/// While it lives, a memory fault of this thread ends the process with one line on stderr, "'PATH': is damaged: ...", and
/// exit code 65. HDF5 1.10 follows sizes in a file's global heap (strings) beyond its own memory, and nothing outside the
/// library can check them first; after the fault nothing of the library can be trusted, so there is no way back to main.
/// Faults of other threads, and handlers set before, are passed on. One at a time, under the library's lock.
class CrashGuard {
 public:
  explicit CrashGuard(const std::string& path);
  CrashGuard(const CrashGuard&) = delete;
  CrashGuard& operator=(const CrashGuard&) = delete;
  ~CrashGuard();

 private:
  stack_t previous_stack_{};
};

}  // namespace posenc::io
