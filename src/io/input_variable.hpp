#pragma once
// io: what a dataset is, found out without trusting it. Private to this room.
#include "io/handle.hpp"
#include "io/input_file.hpp"

namespace posenc::io {

/// Throws Failure. A dataset whose bytes lie outside the file (external, virtual) is of kind `other`.
InputVariable describe_dataset(const Handle& dataset, const std::string& name);

}  // namespace posenc::io
