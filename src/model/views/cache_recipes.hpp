#pragma once
// model: the roundings by which frameworks make tables of cosines and sines, simplest first.
#include "math/rounded_phase.hpp"

#include <span>

namespace posenc::model {

struct CacheRecipe {
  const char* words;    // "positions rounded to bfloat16, the rest in float32"
  math::Stages stages;  // without storage: what the array is kept in is seen apart
  bool is_exact() const {
    return !stages.frequency && !stages.position && !stages.angle && stages.recurrence == math::Stages::Recurrence::none;
  }
};

/// float32 is what most frameworks compute. Positions in bfloat16 or float16 are those of a model cast as a whole (positions and
/// all; Wang 2024, arXiv 2411.13476), frequencies in bfloat16 those of a cast buffer (inv_freq of huggingface/transformers), both
/// those of a product under autocast; the recurrences are ggml's (ggml_rope: angle) and of repeated products (frequency).
std::span<const CacheRecipe> cache_recipes();

}  // namespace posenc::model
