#pragma once
// sources: what ggml-org/llama.cpp's converter makes of a model_type: its conversion/*.py.
#include "model/encoding.hpp"

#include <string_view>

namespace posenc::sources {

/// How a converter writes longrope's two lists: not; with the attention factor (phi.py); without it and without the original
/// length (minicpm.py).
enum class WrittenLists : int { none, phi, minicpm };

struct Conversion {
  std::string_view type;          // model_type
  std::string_view architecture;  // of the GGUF file
  bool partial = false;           // the share of the head that turns is written; else the whole head turns
  bool bare = false;              // neither base nor scaling is written
  bool unscaled = false;          // rope.scaling.type = none is written
  bool bands = false;             // the divisors of rope type llama3 are written
  WrittenLists lists = WrittenLists::none;
};

/// The conversion of a model_type, or nullptr.
const Conversion* conversion_of(std::string_view model_type);

}  // namespace posenc::sources
