#pragma once
// sources: what ggml-org/llama.cpp fixes for an architecture of GGUF files without saying it in the file.
#include "sources/config_family.hpp"

namespace posenc::sources {

/// How the sliding layers of a pattern turn against the others: alike; with the same base and no scaling; with a base of their
/// own (rope.freq_base_swa, 10000) and no scaling.
enum class Sliding : int { alike, unscaled, own_base };

struct GgufFamily {
  std::string_view architecture;
  Kind kind = Kind::rotary;
  bool interleaved = false;  // pairs of neighbouring channels; else halves
  model::Pos period = 0;     // of full layers among sliding ones; 0: no pattern
  bool full_first = false;   // the first of a period is full, not the last
  Sliding sliding = Sliding::alike;
  bool still_full = false;       // full layers do not turn
  model::Pos still_every = 0;    // every such layer does not turn, whatever its window
  bool mixed_sections = false;   // rope.dimension_sections alternate from pair to pair
  model::Pos linear_period = 0;  // of attention among linear layers
};

/// The architecture's facts, or nullptr.
const GgufFamily* gguf_family(std::string_view architecture);

}  // namespace posenc::sources
