#include "app/program.hpp"
#include "app/terminal.hpp"
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

/// One line, then out without the exit handlers: after a failed write HDF5's own would crash.
[[noreturn]] void leave(Exit code, const std::string& line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s\n", posenc::app::printable(line).c_str());
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
