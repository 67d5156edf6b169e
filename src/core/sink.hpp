#pragma once
// core: where results go. Push, never pull: one pass may fill several variables, nothing is held whole.
#include "core/schema.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace posenc {

/// Receives the data of one schema, whole rows of each variable's leading dimension in increasing order without gaps,
/// so the bytes written cannot depend on how the computing was divided. A scalar is row 0, one element. A variable
/// whose leading dimension grows is written until the run ends.
class Sink {
 public:
  virtual ~Sink() = default;

  /// rows.size() is a multiple of the schema's row_size; integers and float32 are converted from the double exactly or
  /// by one rounding. Throws Error on a failed write, or when a stop was asked for.
  virtual void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) = 0;
  /// The same in elements of the variable's C order, any number at a time: for a leading dimension whose rows are long
  /// (head, lag), so that nothing as long as a row is held. Writing a variable by rows and by elements must not be mixed.
  virtual void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) = 0;
  virtual void write_text(std::string_view variable, std::uint64_t first_row, std::span<const std::string> rows) = 0;
  /// An attribute known only after computing; `variable` empty means the group.
  virtual void attribute(std::string_view variable, const Attribute& value) = 0;

  void scalar(std::string_view variable, double value) { write(variable, 0, {&value, 1}); }
};

/// Set by the signal handler; a sink looks at it at every write and throws Error(interrupted or terminated).
void request_stop(int signal) noexcept;
void throw_if_stop_requested();

}  // namespace posenc
