#include "app/digest.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <array>

namespace posenc::app {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1)
    throw Error(Exit::internal, "sha256: the cryptographic library refused");
  return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
}

}  // namespace posenc::app
