#pragma once
// app: an output file as text for `posenc show`, each in a readable and a JSON form.
#include "io/input_file.hpp"

#include <string>

namespace posenc::app {

struct ShowOptions {
  std::int64_t rows = 20;  // of a variable; 0: all
  bool json = false;
};

/// Root attributes, groups, and the summary as a table.
std::string show_file(const io::InputFile& file, const ShowOptions& options);
/// Attributes, scalar measures with their values, arrays with their shapes. A group that holds groups: their names.
/// Throws BadData where there is none of that name, with the nearest one.
std::string show_group(const io::InputFile& file, const std::string& group, const ShowOptions& options);
/// One line an element: its coordinates and value.
std::string show_variable(const io::InputFile& file, const std::string& group, const std::string& variable,
                          const ShowOptions& options);

}  // namespace posenc::app
