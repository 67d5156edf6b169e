#pragma once
// app: what a piece of work will need, from its schemas alone.
#include "model/analysis.hpp"

#include <optional>
#include <string>

namespace posenc::app {

/// Bytes of all data of a schema, in double so that no length overflows it.
double data_bytes(const Schema& schema);

/// Memory that the arrays an analysis keeps while it works take at least: every one-dimensional variable, and the rows of a
/// table that no formula gives, which every analysis reads as a whole; but `encodings` holds a block alone.
double held_bytes(const Schema& schema, const model::Subject& subject, std::string_view analysis);

/// Bytes free for this user in the folder of `path` ("-" and "": none needed); nothing if that cannot be asked.
std::optional<double> free_bytes(const std::string& path);
/// Memory of this machine that a process may still get, swap not counted; nothing if that cannot be asked.
std::optional<double> available_memory();

}  // namespace posenc::app
