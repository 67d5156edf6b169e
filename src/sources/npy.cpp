#include "sources/npy.hpp"

#include "core/error.hpp"
#include "sources/array.hpp"
#include "sources/little_endian.hpp"
#include "sources/npy_header.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

constexpr std::string_view magic = "\x93NUMPY";

}  // namespace

std::shared_ptr<const model::Tensor> open_npy(const std::string& path) { return read_npy(map_file(path), path); }

std::shared_ptr<const model::Tensor> read_npy(Bytes file, const std::string& path) {
  const std::string_view text = file.text();
  if (text.substr(0, magic.size()) != magic) throw BadData(fmt::format("{}: must begin as a .npy file", path));
  if (text.size() < 8) throw BadData(fmt::format("{}: ends within its header", path));
  const int version = static_cast<unsigned char>(text[6]);
  if (version < 1 || version > 3) throw BadData(fmt::format("{}: .npy version = {}: must be 1, 2 or 3", path, version));
  const std::size_t start = version == 1 ? 10 : 12;
  const auto length = little_endian(text, 8, start - 8);
  if (!length || *length > text.size() - start) throw BadData(fmt::format("{}: ends within its header", path));

  ArrayFacts facts = npy_header(text.substr(start, *length), path);
  facts.offset = start + *length;
  const auto bytes = array_bytes(facts);
  if (bytes && text.size() - facts.offset > *bytes)
    throw BadData(fmt::format("{}: shape = [{}]: needs {} bytes of data, the file has {}", path, fmt::join(facts.shape, ", "),
                              *bytes, text.size() - facts.offset));
  return array_in(std::move(file), std::move(facts), path);
}

}  // namespace posenc::sources
