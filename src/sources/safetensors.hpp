#pragma once
// sources: one array of a .safetensors file (huggingface/safetensors README, "Format").
#include "model/tensor.hpp"
#include "sources/mapped_file.hpp"

namespace posenc::sources {

/// The array of that name; with an empty name the only one of the file. F16, BF16, F32, F64 and integers, little-endian as the
/// format has it; like the format's own reader, no file whose arrays overlap, leave bytes out or end before the file does.
/// Throws Error: no_input where there is no such file; BadData "FILE: ...: rule" otherwise, with the nearest name for one that is
/// not there.
std::shared_ptr<const model::Tensor> open_safetensors(const std::string& path, const std::string& name);
/// The same for the bytes of such a file; `path` names them in messages.
std::shared_ptr<const model::Tensor> read_safetensors(Bytes file, const std::string& path, const std::string& name);

/// The array of that name of a model in several files: INDEX.safetensors.index.json says which of the files beside it holds it.
/// Throws as open_safetensors does, and BadData where the index is malformed or names a file outside its folder.
std::shared_ptr<const model::Tensor> open_sharded(const std::string& index, const std::string& name);
/// The name of the file beside the index that holds that array, from the index's text; `index` names it in messages.
std::string shard_of(std::string_view text, const std::string& index, const std::string& name);

}  // namespace posenc::sources
