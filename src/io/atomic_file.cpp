#include "io/atomic_file.hpp"

#include "core/error.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace posenc::io {
namespace {

std::string words(int os_error) { return std::generic_category().message(os_error); }

[[noreturn]] void cannot_create(const std::string& path, std::string_view reason) {
  throw Error(Exit::cannot_create, fmt::format("cannot create '{}': {}", path, reason));
}
[[noreturn]] void cannot_write(const std::string& path, std::string_view reason) {
  throw Error(Exit::io, fmt::format("cannot write '{}': {}; any previous '{}' is unchanged", path, reason, path));
}
[[noreturn]] void refuse_existing(const std::string& path) {
  throw Error(Exit::cannot_create, fmt::format("'{}' exists: use --force to overwrite it", path));
}

std::string folder_of(const std::string& path) {
  const auto slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, std::max<std::size_t>(slash, 1));
}

std::string host_name() {
  std::array<char, 256> buffer{};
  if (gethostname(buffer.data(), buffer.size() - 1) != 0) return "host";
  std::string name = buffer.data();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && c != '-'; }, '-');
  return name.empty() ? "host" : name.substr(0, 64);
}

// The name is cut where the suffix would take it beyond what the file system allows.
std::string partial_name(const std::string& target, const std::string& suffix) {
  const auto slash = target.rfind('/');
  const std::size_t start = slash == std::string::npos ? 0 : slash + 1;
  const long limit = pathconf(folder_of(target).c_str(), _PC_NAME_MAX);
  const std::size_t longest = limit > 0 ? static_cast<std::size_t>(limit) : 255;
  const std::size_t room = longest > suffix.size() ? longest - suffix.size() : 1;
  return target.substr(0, start) + target.substr(start, room) + suffix;
}

// Some file systems cannot synchronise a folder and say so with EINVAL or ENOTSUP.
int sync_folder(const std::string& folder) {
  const int fd = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return errno == EACCES ? 0 : errno;  // a folder may be writable and not readable
  const int failed = fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP ? errno : 0;
  close(fd);
  return failed;
}

}  // namespace

void check_target(const std::string& path, bool force) {
  if (path.empty()) cannot_create(path, "the name is empty");
  struct stat s {};
  if (lstat(path.c_str(), &s) == 0) {
    const bool link = S_ISLNK(s.st_mode);
    if (link && stat(path.c_str(), &s) != 0) cannot_create(path, "is a link to a file that does not exist");
    if (S_ISDIR(s.st_mode)) cannot_create(path, "is a folder");
    if (!S_ISREG(s.st_mode)) cannot_create(path, "is not a regular file");
    if (!force) refuse_existing(path);
  } else if (errno != ENOENT) {
    cannot_create(path, words(errno));
  } else if (path.back() == '/') {
    cannot_create(path, "is the name of a folder");
  }
  const std::string folder = folder_of(resolved_target(path));
  if (stat(folder.c_str(), &s) != 0) cannot_create(path, fmt::format("folder '{}': {}", folder, words(errno)));
  if (!S_ISDIR(s.st_mode)) cannot_create(path, fmt::format("folder '{}': {}", folder, words(ENOTDIR)));
  if (access(folder.c_str(), W_OK | X_OK) != 0) cannot_create(path, fmt::format("folder '{}': {}", folder, words(errno)));
}

std::string resolved_target(const std::string& path) {
  std::error_code none;
  const auto real = std::filesystem::canonical(path, none);
  return none ? path : real.string();
}

AtomicFile::AtomicFile(std::string path, bool force) : path_(std::move(path)), force_(force) {
  check_target(path_, force_);
  target_ = resolved_target(path_);
  const std::string suffix = fmt::format(".partial.{}.{}", host_name(), getpid());
  // A name already taken belongs to a dead process with the same number, or to a live one of another container.
  for (int turn = 0; descriptor_ < 0 && turn < 1000; ++turn) {
    partial_ = partial_name(target_, turn == 0 ? suffix : fmt::format("{}.{}", suffix, turn));
    descriptor_ = open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0 && errno != EEXIST) break;
  }
  if (descriptor_ < 0) cannot_create(path_, words(errno));
}

void AtomicFile::commit() {
  const auto check = [&](bool failed) {
    const int number = errno;
    if (!failed) return;
    discard();
    cannot_write(path_, words(number));
  };
  check(fsync(descriptor_) != 0);
  check(close(std::exchange(descriptor_, -1)) != 0);
  if (force_) {
    check(std::rename(partial_.c_str(), target_.c_str()) != 0);
  } else {
    errno = move_without_replacing(partial_, target_);
    if (errno == EEXIST) {
      discard();
      refuse_existing(path_);
    }
    check(errno != 0);
  }
  partial_.clear();
  if (const int failed = sync_folder(folder_of(target_)); failed != 0)
    throw Error(Exit::io, fmt::format("'{}' is written, but its folder could not be synchronised: {}", path_, words(failed)));
}

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) close(std::exchange(descriptor_, -1));
  if (!partial_.empty()) unlink(partial_.c_str());
  partial_.clear();
}

int move_without_replacing(const std::string& from, const std::string& to, bool use_rename) {
#ifdef RENAME_NOREPLACE
  if (use_rename) {
    if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return errno;
  }
#else
  static_cast<void>(use_rename);
#endif
  if (link(from.c_str(), to.c_str()) != 0) return errno;
  return unlink(from.c_str()) == 0 ? 0 : errno;
}

}  // namespace posenc::io
