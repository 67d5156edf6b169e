#pragma once
// io: reading HDF5 files, the program's own and those of others, which are not trusted.
#include "core/schema.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace posenc::io {

/// One dataset as it lies in the file.
struct InputVariable {
  enum class Kind { number, text, other };  // other (compounds, enumerations, data in other files) is not read
  std::string name, type;                   // type: float64, int32, uint8, text, compound, ...
  Kind kind = Kind::other;
  std::vector<std::uint64_t> shape;
  std::vector<std::string> dims;        // name of each axis' scale, empty where an axis has none; a scale names its own
  bool grows = false;                   // the leading axis has no fixed end
  std::string unit, about;              // empty if absent
  std::vector<Attribute> attributes{};  // the rest, without _FillValue

  std::uint64_t size() const;  // elements
};

/// Soft and external links are not followed, external and virtual datasets not read: only bytes of the file itself are. Safe to
/// use from several threads (calls wait for each other).
///
/// A file so damaged that the library itself fails on it ends the process with one line and exit code 65 (crash_guard.hpp).
/// Every other fault of a file throws Error with one line that names the file: no_input (missing, unreadable), bad_data (no HDF5
/// file, truncated, damaged, a name or type that is not there), try_again (locked by a writer), io (reading failed).
class InputFile {
 public:
  /// "-" is standard input, read whole.
  explicit InputFile(std::string path);
  ~InputFile();
  InputFile(InputFile&&) noexcept;

  const std::string& path() const;
  /// Absolute paths of all groups, parents first, "/" the first of all, in the order of their creation where it is known.
  std::vector<std::string> groups() const;
  /// Of a group or dataset. Layout attributes (scales, references) are left out; several strings are joined with newlines,
  /// several numbers become doubles.
  std::vector<Attribute> attributes(const std::string& object) const;
  /// The datasets of one group.
  std::vector<InputVariable> variables(const std::string& group) const;
  /// One dataset by its path.
  InputVariable variable(const std::string& dataset) const;

  /// Elements first .. first + out.size() - 1 in C order, converted to double by one rounding. Throws Error(internal) beyond
  /// the end.
  void read(const std::string& dataset, std::uint64_t first, std::span<double> out) const;
  std::vector<std::string> read_text(const std::string& dataset, std::uint64_t first, std::uint64_t count) const;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace posenc::io
