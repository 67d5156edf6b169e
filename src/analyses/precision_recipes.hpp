#pragma once
// analyses: the roundings between a position and a rotated query that frameworks make, one by one and together.
#include "math/rounded_phase.hpp"

#include <span>
#include <string>
#include <vector>

namespace posenc::analyses {

struct Recipe {
  const char* name;
  math::Stages stages;
  const math::BinaryFormat* output = nullptr;  // of the rotated query and key
  bool by_recurrence() const { return stages.recurrence != math::Stages::Recurrence::none; }
  /// "frequency, angle": the stages that round.
  std::string words() const;
};

/// float32 is what most frameworks compute; bf16-positions what a model cast to bfloat16 as a whole computes; float32-storage,
/// bf16-storage and fp16-storage tables kept in the model's type (Wang 2024, arXiv 2411.13476); the recurrences are those of
/// ggml (ggml_rope: the angle) and of tables built by repeated products (the frequency).
std::span<const Recipe> recipes();
/// Those of the names a/b/c in the order above, `all`: every one. Throws UsageError for an unknown name.
std::vector<const Recipe*> named(const std::string& names);

}  // namespace posenc::analyses
