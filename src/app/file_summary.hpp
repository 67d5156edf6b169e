#pragma once
// app: the /summary group of an output file as a table.
#include "io/input_file.hpp"

#include <string>

namespace posenc::app {

/// One row an encoding, the most telling measures first, as many as the terminal is wide; of measures by factor the last one,
/// of measures by head the mean. Empty where there is no such table.
std::string summary_table(const io::InputFile& file);

}  // namespace posenc::app
