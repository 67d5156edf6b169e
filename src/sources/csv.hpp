#pragma once
// sources: numbers in a text file, separated by commas.
#include "model/tensor.hpp"

namespace posenc::sources {

/// A row a line, all of the same width; a first line of words alone, none of them nan, inf or begun as a number, is a heading;
/// empty lines, lines that begin with # and a byte order mark are passed over. A single row or a single column is a vector.
/// Throws Error: no_input where there is no such file; BadData "FILE:LINE: rule" for what is no finite number.
std::shared_ptr<const model::Tensor> open_csv(const std::string& path);
/// The same for the text of such a file; `path` names it in messages.
std::shared_ptr<const model::Tensor> read_csv(std::string_view text, const std::string& path);

}  // namespace posenc::sources
