#pragma once
// sources: factors of a query's scores that grow with its position, from GGUF metadata.
#include "sources/gguf_subject.hpp"

#include <span>

namespace posenc::sources {

/// Set in the encodings of the layers that have such a key; a warning where none has. ggml-org/llama.cpp src/llama-graph.cpp:
/// 1 + scale ln(1 + floor((p + offset)/length)); of Llama 4 the layers without rotation, with constants of its code (0.1, 8192,
/// offset 1); else by attention.temperature_scale, with yarn's original length.
void read_gguf_query_scale(const GgufSubject& s, std::span<LayerReport> layers);

}  // namespace posenc::sources
