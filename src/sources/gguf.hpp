#pragma once
// sources: GGUF files, versions 2 and 3 (ggml-org/ggml docs/gguf.md).
#include "model/tensor.hpp"
#include "sources/json.hpp"
#include "sources/mapped_file.hpp"

namespace posenc::sources {

struct GgufTensor {
  std::string name;
  std::uint32_t type = 0;           // ggml's number of the element type
  std::vector<model::Pos> shape{};  // slowest first: the file's dimensions reversed
  std::uint64_t offset = 0;         // bytes from the beginning of the data
};

struct GgufFile {
  std::string path;
  Bytes bytes;
  std::size_t data = 0;  // where the tensors' data begins
  /// An object of key and value in the file's order. Lists of up to 4096 numbers or flags are kept, 2^20 items in all; of other
  /// lists and of long texts a description; numbers that are not finite are text.
  Json metadata{.kind = Json::Kind::object};
  std::vector<GgufTensor> tensors{};

  const GgufTensor* find(std::string_view name) const;
};

/// Header, metadata and the list of tensors; touches nothing behind them. No size that the file gives is believed before it fits
/// into the file. Throws BadData "FILE: ...: rule": another version or byte order, an end too early, an unknown type, a key or a
/// tensor given twice, an alignment that is no power of two, a tensor beyond the end.
GgufFile read_gguf(Bytes bytes, const std::string& path);

/// The tensor's numbers: F32, F16, BF16, F64 and integers. Throws BadData naming the type of a quantised one, and as array.hpp.
std::shared_ptr<const model::Tensor> gguf_array(const GgufFile& file, const GgufTensor& tensor);

/// The tensor of that name; with an empty name the only one. Throws Error: no_input where there is no such file; BadData
/// otherwise, with the nearest name for one that is not there.
std::shared_ptr<const model::Tensor> open_gguf(const std::string& path, const std::string& name);

}  // namespace posenc::sources
