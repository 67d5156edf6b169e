#include "io/standard_stream.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace posenc::io {
namespace {

std::string words(int os_error) { return std::generic_category().message(os_error); }

}  // namespace

void refuse_terminal() {
  if (isatty(STDOUT_FILENO)) throw UsageError("-o -: standard output is a terminal; send it to a file or a pipe");
}

Spool::Spool() {
  const char* given = std::getenv("TMPDIR");
  folder_ = given && *given ? given : "/tmp";
  path_ = folder_ + "/posenc.XXXXXX";
  descriptor_ = mkstemp(path_.data());
  if (descriptor_ < 0)
    throw Error(Exit::cannot_create, fmt::format("cannot create a temporary file in '{}': {}", folder_, words(errno)));
}

Spool::~Spool() {
  hide();
  close(descriptor_);
}

void Spool::hide() noexcept {
  if (!path_.empty()) unlink(path_.c_str());
  path_.clear();
}

void Spool::send() const {
  std::vector<std::byte> block(std::size_t{1} << 20);
  for (off_t at = 0;;) {
    const ssize_t n = pread(descriptor_, block.data(), block.size(), at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(Exit::io, fmt::format("cannot read back the temporary file in '{}': {}", folder_, words(errno)));
    if (n == 0) return;
    for (ssize_t done = 0; done < n;) {
      const ssize_t sent = write(STDOUT_FILENO, block.data() + done, static_cast<std::size_t>(n - done));
      if (sent < 0 && errno != EINTR) throw Error(Exit::io, "cannot write to standard output: " + words(errno));
      if (sent > 0) done += sent;
    }
    at += n;
  }
}

std::vector<std::byte> read_standard_input() {
  std::vector<std::byte> all;
  for (std::size_t size = 0;;) {
    if (all.size() - size < (1U << 16)) all.resize(2 * size + (1U << 16));
    const ssize_t n = read(STDIN_FILENO, all.data() + size, all.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw Error(Exit::io, "cannot read standard input: " + words(errno));
    size += static_cast<std::size_t>(n);
    if (n > 0) continue;
    all.resize(size);
    return all;
  }
}

}  // namespace posenc::io
