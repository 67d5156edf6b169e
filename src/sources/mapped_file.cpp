#include "sources/mapped_file.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cerrno>
#include <cstring>

namespace posenc::sources {
namespace {

struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

}  // namespace

MappedFile::MappedFile(const std::string& path) {
  if (path.find('\0') != std::string::npos) throw BadData(fmt::format("{}: a file's name must not hold a NUL", path.c_str()));
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) {
    const int why = errno;
    const bool missing = why == ENOENT || why == ENOTDIR || why == ENAMETOOLONG;
    throw Error(missing ? Exit::no_input : Exit::io, fmt::format("{}: {}", path, missing ? "no such file" : std::strerror(why)));
  }
  struct stat facts {};
  if (::fstat(file.fd, &facts) != 0) throw Error(Exit::io, fmt::format("{}: {}", path, std::strerror(errno)));
  if (!S_ISREG(facts.st_mode)) throw BadData(fmt::format("{}: must be a regular file", path));
  size_ = static_cast<std::size_t>(facts.st_size);
  if (size_ == 0) return;
  void* const at = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (at == MAP_FAILED) throw Error(Exit::io, fmt::format("{}: {}", path, std::strerror(errno)));
  data_ = static_cast<const std::byte*>(at);
}

MappedFile::~MappedFile() {
  if (data_) ::munmap(const_cast<std::byte*>(data_), size_);
}

Bytes map_file(const std::string& path) {
  auto file = std::make_shared<const MappedFile>(path);
  const auto data = file->bytes();
  return {data, std::move(file)};
}

std::string read_text(const std::string& path, std::size_t limit) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  if (bytes.size() > limit) throw BadData(fmt::format("{}: size = {}: must be <= {} bytes", path, bytes.size(), limit));
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace posenc::sources
