#pragma once
// sources: the dictionary at the head of a .npy file.
#include "sources/array.hpp"

#include <string_view>

namespace posenc::sources {

/// Type, order and shape from "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }"; the keys in any order, each
/// once. Throws BadData "PATH: field = value: rule".
ArrayFacts npy_header(std::string_view text, const std::string& path);

}  // namespace posenc::sources
