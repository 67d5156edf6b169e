#pragma once
// io: whole files through standard input and output ("-" on the command line).
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace posenc::io {

/// Throws UsageError if standard output is a terminal.
void refuse_terminal();
/// Writes all bytes; returns the reason of a failure, empty if there is none.
std::string write_standard_output(std::span<const std::byte> bytes);
/// Reads to the end. Throws Error(io).
std::vector<std::byte> read_standard_input();

}  // namespace posenc::io
