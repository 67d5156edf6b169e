#pragma once
// sources: GGUF models whose positions are not rotary.
#include "sources/gguf_subject.hpp"

namespace posenc::sources {

/// The architecture's kind; a table of positions in the file makes an unknown one, and MPT without biases, learned.
Kind gguf_kind(const GgufSubject& s);
/// Fills scheme and layers.
void read_gguf_form(const GgufSubject& s, Kind kind, ModelReport& report);
/// Attention without positions.
void gguf_nope(const GgufSubject& s, LayerReport& layer);

}  // namespace posenc::sources
