#pragma once
// app: what a file tells about how it was made, written from values.
#include "app/globals.hpp"
#include "app/output_choice.hpp"
#include "app/work.hpp"

namespace posenc::app {

/// The resolved configuration as canonical JSON: command, encodings with every field that has an effect and the SHA-256 of
/// the arrays that they name, request, options of the analyses.
/// Equal work gives equal text. Output names, threads and times are no part of it.
std::string configuration(const Work& work);

/// A line that computes the same: `posenc COMMAND ENCODING... options`, encodings by scheme and values, without output.
std::string canonical_command(const Work& work);

/// Attributes of the root. With `reproducible` two equal runs have equal attributes: no time, host, thread count or
/// user's line; history is the canonical command.
std::vector<Attribute> root_attributes(const Work& work, const OutputChoice& output, const Globals& globals);

/// The argv as one line that a POSIX shell reads back as the same words.
std::string quoted(const std::vector<std::string>& words);

}  // namespace posenc::app
