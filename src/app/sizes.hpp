#pragma once
// app: what a piece of work will need, from its schemas alone.
#include "core/schema.hpp"

#include <optional>
#include <string>

namespace posenc::app {

/// Bytes of all data of a schema, in double so that no length overflows it.
double data_bytes(const Schema& schema);

/// Memory that holding one row of every leading dimension and every one-dimensional variable takes, a bound for the
/// arrays an analysis keeps while it works.
double working_bytes(const Schema& schema);

/// Bytes free for this user in the folder of `path` ("-" and "": none needed); nothing if that cannot be asked.
std::optional<double> free_bytes(const std::string& path);
/// Memory of this machine that a process may still get, swap not counted; nothing if that cannot be asked.
std::optional<double> available_memory();

}  // namespace posenc::app
