#pragma once
// io: a file that appears under its name only when it is complete and on the disk.
#include <string>

namespace posenc::io {

/// Throws Error(cannot_create) with one line if nothing can be written at `path`: it exists and `force` is false, it is a
/// folder or device, its folder is missing, not a folder or not writable, or the name is too long.
void check_target(const std::string& path, bool force);

/// The target with its links resolved if it exists, so that overwriting through a link keeps the link.
std::string resolved_target(const std::string& path);

/// Bytes go to `PATH.partial.HOST.PID` in the target's folder; commit() moves it to PATH. Destroyed uncommitted, the partial
/// file is deleted and whatever was at PATH is unchanged. A process that is killed leaves the partial file behind.
class AtomicFile {
 public:
  /// Checks the target and creates the partial file, empty. Throws Error(cannot_create).
  AtomicFile(std::string path, bool force);
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;
  ~AtomicFile() { discard(); }

  const std::string& path() const { return path_; }
  const std::string& partial() const { return partial_; }

  /// fsync and close the file, rename it (never onto a file that appeared meanwhile, unless forced), fsync the folder.
  /// Throws Error: cannot_create where the target exists by now, io for the rest; the partial file is then deleted.
  void commit();
  /// Deletes the partial file. Safe to call twice.
  void discard() noexcept;

 private:
  std::string path_, target_, partial_;  // as given; with links resolved; empty once committed or discarded
  bool force_;
  int descriptor_ = -1;
};

/// Moves `from` to `to` unless `to` exists: renameat2 with RENAME_NOREPLACE where the system and the file system have it
/// (and `use_rename`), else a hard link and a deletion. Returns 0 or an errno, EEXIST if `to` exists.
int move_without_replacing(const std::string& from, const std::string& to, bool use_rename = true);

}  // namespace posenc::io
