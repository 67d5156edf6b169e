#pragma once
// sources: what a GGUF model does with positions.
#include "sources/gguf.hpp"
#include "sources/model_report.hpp"

namespace posenc::sources {

/// The report as config.hpp gives it for a config.json, of what ggml-org/llama.cpp makes of the file's keys under
/// general.architecture and of its tensors of positions. What is wrong with them is listed under errors and leaves the report
/// without layers. Throws BadData where one of those tensors cannot be read.
ModelReport read_gguf_model(const GgufFile& file);

}  // namespace posenc::sources
