#include "io/crash_guard.hpp"

#include "core/error.hpp"

#include <pthread.h>
#include <unistd.h>
#include <array>
#include <cstring>

namespace posenc::io {
namespace {

constexpr std::array<int, 4> faults{SIGSEGV, SIGBUS, SIGFPE, SIGABRT};

// What the handler may use: prepared before, since it may not allocate.
std::array<char, 4400> message;
std::size_t message_size = 0;
pthread_t guarded;
std::array<struct sigaction, faults.size()> before;
alignas(16) std::array<char, 1 << 16> stack;  // the fault may be an overflow of the thread's own
int depth = 0;                                // guards of nested calls

void leave(int signal) {
  if (pthread_equal(pthread_self(), guarded)) {
    const ssize_t sent = write(STDERR_FILENO, message.data(), message_size);
    static_cast<void>(sent);
    _exit(static_cast<int>(Exit::bad_data));
  }
  for (std::size_t i = 0; i < faults.size(); ++i)
    if (faults[i] == signal) sigaction(signal, &before[i], nullptr);
  raise(signal);
}

}  // namespace

CrashGuard::CrashGuard(const std::string& path) {
  if (depth++ > 0) return;
  std::string line = "'" + path.substr(0, 4096) + "': is damaged: the HDF5 library cannot read it\n";
  message_size = line.copy(message.data(), message.size());
  guarded = pthread_self();
  stack_t own{};
  own.ss_sp = stack.data();
  own.ss_size = stack.size();
  sigaltstack(&own, &previous_stack_);
  struct sigaction action {};
  action.sa_handler = leave;
  action.sa_flags = SA_ONSTACK;
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &action, &before[i]);
}

CrashGuard::~CrashGuard() {
  if (--depth > 0) return;
  for (std::size_t i = 0; i < faults.size(); ++i) sigaction(faults[i], &before[i], nullptr);
  sigaltstack(&previous_stack_, nullptr);
}

}  // namespace posenc::io
