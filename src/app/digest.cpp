#include "app/digest.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <algorithm>
#include <array>
#include <bit>
#include <memory>

namespace posenc::app {
namespace {

class Sha256 {
 public:
  Sha256() : state_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    require(state_ && EVP_DigestInit_ex(state_.get(), EVP_sha256(), nullptr) == 1);
  }
  void add(std::string_view bytes) { require(EVP_DigestUpdate(state_.get(), bytes.data(), bytes.size()) == 1); }
  std::string text() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    require(EVP_DigestFinal_ex(state_.get(), digest.data(), &size) == 1);
    return fmt::format("{:02x}", fmt::join(digest.begin(), digest.begin() + size, ""));
  }

 private:
  static void require(bool done) {
    if (!done) throw Error(Exit::internal, "sha256: the cryptographic library refused");
  }
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> state_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.text();
}

std::string sha256(const model::Tensor& array) {
  static_assert(std::endian::native == std::endian::little);
  constexpr model::Pos block = model::Pos{1} << 16;
  std::vector<double> numbers;
  Sha256 hash;
  for (model::Pos first = 0; first < array.size(); first += block) {
    numbers.resize(static_cast<std::size_t>(std::min(block, array.size() - first)));
    array.read(first, numbers);
    hash.add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double)});
  }
  return hash.text();
}

}  // namespace posenc::app
