#pragma once
// app: the arrays of an encoding are finite, or the run is refused in the name of what was given.
#include "app/subjects.hpp"
#include "core/sink.hpp"

namespace posenc::app {

/// Looks at the first and the last row of every array of an encoding in use that was given values of its own; NaN is allowed
/// where the variable's description names it. Throws UsageError "SCHEME: KEY = VALUE, ...: the array NAME is not finite".
void refuse_infinite_arrays(const Entry& entry, const model::Request& request);

/// Passes everything on to `next`, which may be null, and throws the same for any element of a variable of the schema.
std::unique_ptr<Sink> finite_sink(const Entry& entry, const Schema& schema, std::unique_ptr<Sink> next);

}  // namespace posenc::app
