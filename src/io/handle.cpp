#include "io/handle.hpp"

#include <cstdlib>
#include <cstring>
#include <system_error>

namespace posenc::io {
namespace {

struct Reason {
  std::string words;
  int os_error = 0;
};

// The innermost entry comes first; the drivers write "..., errno = 28, error message = '...'" into it.
herr_t look(unsigned, const H5E_error2_t* entry, void* out) {
  auto& reason = *static_cast<Reason*>(out);
  const std::string text = entry->desc ? entry->desc : "";
  if (reason.words.empty()) reason.words = text;
  static constexpr std::string_view mark = "errno = ";
  const auto at = text.find(mark);
  if (at != std::string::npos && reason.os_error == 0) reason.os_error = std::atoi(text.c_str() + at + mark.size());
  return 0;
}

}  // namespace

void fail() {
  Reason reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, look, &reason);
  if (reason.os_error != 0) reason.words = std::generic_category().message(reason.os_error);
  if (reason.words.empty()) reason.words = "unknown failure of the HDF5 library";
  throw Failure(reason.words.substr(0, reason.words.find('\n')), reason.os_error);
}

LibraryLock::LibraryLock() {
  static std::recursive_mutex mutex;
  lock_ = std::unique_lock(mutex);
  static const bool at_exit_off = [] {
    H5dont_atexit();  // fails if the library is in use already, then its exit handler stays
    return true;
  }();
  static_cast<void>(at_exit_off);
  thread_local const bool quiet = H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr) >= 0;  // a setting of the thread's error stack
  static_cast<void>(quiet);
}

}  // namespace posenc::io
