#pragma once
// io: the one place through which the HDF5 library is called: owned identifiers, checked results, reasons of failures.
// Private to this room: no other header names a type of the library.
#define H5_USE_110_API
#include <hdf5.h>
#include <hdf5_hl.h>
#include <mutex>
#include <stdexcept>
#include <string>
#include <utility>

namespace posenc::io {

/// A call of the library that failed. what() is the operating system's reason where the library names an errno (then in
/// os_error), else the library's own innermost words, one line. Never leaves this room: the public classes turn it into
/// an Error that names the file.
struct Failure : std::runtime_error {
  Failure(const std::string& reason, int number) : std::runtime_error(reason), os_error(number) {}
  int os_error;
};

/// Throws the Failure that describes the call just made on this thread.
[[noreturn]] void fail();
/// The result of a call, negative meaning failure.
template <class Result>
Result ok(Result result) {
  if (result < 0) fail();
  return result;
}

/// Held during every use of the library, which is not safe for threads in all builds. Switches off its printing of errors
/// and its own work at exit (which crashes after a failed write).
class LibraryLock {
 public:
  LibraryLock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

/// Whether the library may still be called for a file: not after a failed write, since what it holds in memory no longer
/// describes what is on the disk.
struct Health {
  bool poisoned = false;
};

/// An owned identifier. Converts to hid_t to be passed on.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  /// Throws Failure if id is negative. `health`, if given, must outlive the handle.
  Handle(hid_t id, Close close, const Health* health = nullptr) : id_(ok(id)), close_(close), health_(health) {}
  Handle(Handle&& other) noexcept { swap(other); }
  Handle& operator=(Handle&& other) noexcept {
    Handle(std::move(other)).swap(*this);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0 && !(health_ && health_->poisoned)) close_(id_);
  }

  /// An identifier of the same file.
  Handle child(hid_t id, Close close) const { return {id, close, health_}; }
  /// Closes now. Throws Failure.
  void close() {
    if (id_ >= 0) ok(close_(std::exchange(id_, -1)));
  }
  operator hid_t() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }

 private:
  void swap(Handle& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    std::swap(health_, other.health_);
  }

  hid_t id_ = -1;
  Close close_ = nullptr;
  const Health* health_ = nullptr;
};

/// A property list of a class such as H5P_DATASET_CREATE.
inline Handle properties(hid_t list_class) { return {H5Pcreate(list_class), H5Pclose}; }

}  // namespace posenc::io
