#pragma once
// schemes: angular frequencies that a file gives, for sinusoids whose frequencies were learned.
#include "model/scheme.hpp"

#include <string>
#include <vector>

namespace posenc::schemes {

/// A vector of radians per position, `size` of them or -1 for any number. Each is exact as the double that it is. Throws what the
/// loader and model/tensor.hpp throw.
std::vector<model::Frequency> frequency_file(const model::Context& context, std::string_view owner, std::string_view field,
                                             const std::string& file, model::Index size);

}  // namespace posenc::schemes
