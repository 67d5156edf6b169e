#pragma once
// sources: the rotation of one kind of layers of a GGUF model.
#include "sources/gguf_layers.hpp"

namespace posenc::sources {

/// The layer's facts and encoding as ggml-org/llama.cpp turns it; errors go to the ledger. Throws BadData where a tensor of
/// factors cannot be read.
LayerReport gguf_rope_layer(const GgufSubject& s, const GgufLayer& layer);

}  // namespace posenc::sources
