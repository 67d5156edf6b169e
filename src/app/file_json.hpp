#pragma once
// app: an output file as JSON for `posenc show --json`. NaN becomes null, infinities "inf" and "-inf".
#include "io/input_file.hpp"

#include <string>

namespace posenc::app {

std::string json_file(const io::InputFile& file);
std::string json_group(const io::InputFile& file, const std::string& group);
/// The first `count` elements in C order.
std::string json_variable(const io::InputFile& file, const std::string& group, const io::InputVariable& variable,
                          std::uint64_t count);

}  // namespace posenc::app
