#include "core/sink.hpp"

#include "core/error.hpp"

#include <atomic>
#include <csignal>

namespace posenc {
namespace {
std::atomic<int> stop_signal{0};
static_assert(std::atomic<int>::is_always_lock_free, "the signal handler stores into it");
}  // namespace

void request_stop(int signal) noexcept { stop_signal.store(signal, std::memory_order_relaxed); }

void throw_if_stop_requested() {
  const int signal = stop_signal.load(std::memory_order_relaxed);
  if (signal == SIGINT) throw Error(Exit::interrupted, "interrupted");
  if (signal != 0) throw Error(Exit::terminated, "terminated");
}

}  // namespace posenc
