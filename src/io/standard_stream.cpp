#include "io/standard_stream.hpp"

#include "core/error.hpp"

#include <unistd.h>
#include <cerrno>
#include <system_error>

namespace posenc::io {

void refuse_terminal() {
  if (isatty(STDOUT_FILENO)) throw UsageError("-o -: standard output is a terminal; send it to a file or a pipe");
}

std::string write_standard_output(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t n = write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return std::generic_category().message(errno);
    bytes = bytes.subspan(static_cast<std::size_t>(n));
  }
  return {};
}

std::vector<std::byte> read_standard_input() {
  std::vector<std::byte> all;
  for (std::size_t size = 0;;) {
    if (all.size() - size < (1U << 16)) all.resize(2 * size + (1U << 16));
    const ssize_t n = read(STDIN_FILENO, all.data() + size, all.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(Exit::io, "cannot read standard input: " + std::generic_category().message(errno));
    size += static_cast<std::size_t>(n);
    if (n > 0) continue;
    all.resize(size);
    return all;
  }
}

}  // namespace posenc::io
