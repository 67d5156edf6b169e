#pragma once
// sources: one array of a .safetensors file (huggingface/safetensors README, "Format").
#include "model/tensor.hpp"

namespace posenc::sources {

/// The array of that name; with an empty name the only one of the file. F16, BF16, F32, F64 and integers, little-endian as the
/// format has it. Throws Error: no_input where there is no such file; BadData "FILE: ...: rule" otherwise, with the nearest name
/// for one that is not there.
std::shared_ptr<const model::Tensor> open_safetensors(const std::string& path, const std::string& name);

}  // namespace posenc::sources
