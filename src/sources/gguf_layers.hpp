#pragma once
// sources: which kinds of layers a GGUF model has.
#include "sources/gguf_subject.hpp"

namespace posenc::sources {

struct GgufLayer {
  std::string name;
  bool sliding = false;
  bool turns = true;
  bool attends = true;
  std::vector<model::Pos> layers{};  // from 0; empty where the file does not say
};

/// The kinds in the order in which the layers first show them; one layer "all" where every layer is alike.
std::vector<GgufLayer> gguf_layers(const GgufSubject& s);

}  // namespace posenc::sources
