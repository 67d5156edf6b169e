#pragma once
// app: the fingerprint of a configuration.
#include <string>
#include <string_view>

namespace posenc::app {

/// SHA-256 (FIPS 180-4) in lower-case hexadecimal.
std::string sha256(std::string_view bytes);

}  // namespace posenc::app
