#pragma once
// io: whole files through standard input and output ("-" on the command line).
#include <cstddef>
#include <string>
#include <vector>

namespace posenc::io {

/// Throws UsageError if standard output is a terminal.
void refuse_terminal();

/// A temporary file that becomes standard output when it is complete: what is written there is the same bytes as a file of
/// that content, and memory stays small. (H5Fget_file_image of HDF5 1.10 clears a flag of the superblock without renewing
/// its checksum, and gives an image that does not open.)
class Spool {
 public:
  /// In $TMPDIR, else /tmp. Throws Error(cannot_create).
  Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;
  ~Spool();

  const std::string& folder() const { return folder_; }
  const std::string& path() const { return path_; }
  /// Takes away the name; the file lives on for those who have it open, and goes with them.
  void hide() noexcept;
  /// Copies all bytes to standard output. Throws Error(io).
  void send() const;

 private:
  std::string folder_, path_;
  int descriptor_ = -1;
};

/// Reads to the end. Throws Error(io).
std::vector<std::byte> read_standard_input();

}  // namespace posenc::io
