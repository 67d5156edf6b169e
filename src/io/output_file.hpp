#pragma once
// io: the program's output, one HDF5 file that is also netCDF-4, complete under its name or not there at all.
//
// For main: SIGXFSZ must be ignored, so that a file size limit is an error and not a death; SIGINT and SIGTERM call
// request_stop(), after which the next write throws. After a failed write (poisoned()) the HDF5 library is not called for
// the file any more and its memory is left as it is: leave the program with _exit once the line is printed.
#include "core/sink.hpp"

#include <memory>
#include <string>

namespace posenc::io {

struct OutputOptions {
  bool force = false;  // replace an existing file
  int deflate = 0;     // 0: contiguous, uncompressed; 1-9: chunked, shuffled, deflated at that level
  int threads = 1;     // that compress; the bytes do not depend on it
};

class OutputFile {
 public:
  /// Checks the target and creates the partial file, before anything is computed. "-": the file is made in $TMPDIR and
  /// goes to standard output at commit. Throws Error: cannot_create; UsageError for "-" on a terminal.
  OutputFile(std::string path, OutputOptions options);
  /// Not committed: deletes the partial file.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// Of the root. Strings that are not UTF-8 are stored with \xHH in place of bad bytes.
  void attribute(const Attribute& value);

  /// Creates the group and all that the schema names: datasets, scales, attributes. `path` is absolute, like
  /// "/decay/rope"; a group with data holds no other. What does not apply becomes the attributes not_applicable (the names,
  /// separated by spaces) and not_applicable_NAME (the reason). The sink takes data until it is destroyed, then the group is
  /// complete; several may be open. It must not outlive the file. Its errors: Exit::io "cannot write 'a.h5': No space left on
  /// device; ..."; Exit::internal for rows out of order, variables left incomplete (thrown by commit()) or unknown; interrupted
  /// or terminated.
  std::unique_ptr<Sink> group(const std::string& path, const Schema& schema);

  /// Finishes every group, closes the file, brings it to the disk and gives it its name. Throws Error; a file that a broken
  /// or incomplete sink left behind is refused with the first such error.
  void commit();

  /// A write failed: nothing more can be done with the file.
  bool poisoned() const;

 private:
  class State;
  class GroupSink;
  std::unique_ptr<State> state_;
};

}  // namespace posenc::io
