#pragma once
// io: strings out of the library, of fixed or variable length. Private to this room.
#include "io/handle.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace posenc::io {

/// Reads n strings of the stored type through `read(memory_type, buffer)`, made valid UTF-8. Throws Failure.
std::vector<std::string> read_strings(const Handle& stored, std::size_t n, const std::function<void(hid_t, void*)>& read);

}  // namespace posenc::io
