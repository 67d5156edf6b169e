#pragma once
// io: text that is fit to be stored. Readers refuse a whole file for one string that is not UTF-8.
#include <string>
#include <string_view>

namespace posenc::io {

/// Valid UTF-8 without NUL is returned as it is; every other byte becomes the four characters \xHH.
std::string to_utf8(std::string_view bytes);

}  // namespace posenc::io
