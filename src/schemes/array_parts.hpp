#pragma once
// schemes: several arrays that a field names by their common beginning.
#include <string>
#include <string_view>

namespace posenc::schemes {

/// PREFIX.PART.npy; of a file that holds several arrays, FILE#PREFIX, its FILE#PREFIX.PART.
inline std::string array_part(const std::string& prefix, std::string_view part) {
  const std::string out = prefix + "." + std::string(part);
  return prefix.find('#') == std::string::npos ? out + ".npy" : out;
}

}  // namespace posenc::schemes
