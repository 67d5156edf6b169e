#include "app/program.hpp"
#include "core/sink.hpp"

#include <unistd.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <string>

namespace {

using posenc::Exit;

void stop(int signal) { posenc::request_stop(signal); }

/// Control characters of the user's words as \xHH, so that the message stays one line and leaves the terminal as it is.
std::string printable(const std::string& text) {
  static const char* const digits = "0123456789abcdef";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f)
      out += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
    else
      out += c;
  }
  return out;
}

/// One line, then out without the exit handlers: after a failed write HDF5's own would crash.
[[noreturn]] void leave(Exit code, const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", printable(line).c_str());
  std::fflush(stderr);
  _exit(static_cast<int>(code));
}

Exit finish(Exit code) {
  if (std::fflush(stdout) != 0 || std::ferror(stdout))
    leave(Exit::io, std::string("cannot write the standard output: ") + std::strerror(errno));
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGINT, stop);
  std::signal(SIGTERM, stop);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return static_cast<int>(finish(posenc::app::run_program(argc, argv)));
  } catch (const posenc::Error& e) {
    leave(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    leave(Exit::internal, "not enough memory: see --dry-run for what the run needs");
  } catch (const std::exception& e) {
    leave(Exit::internal, std::string("internal error: ") + e.what());
  }
}
