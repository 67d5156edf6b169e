#pragma once
// sources: which kinds of layers a model has, and what turns in each.
#include "sources/config_attention.hpp"

namespace posenc::sources {

enum class LayerKind : int { rotary, nope, no_attention };

struct LayerPlan {
  std::string name;
  LayerKind kind = LayerKind::rotary;
  std::vector<model::Pos> layers{};  // from 0; empty where the file does not say
};

/// Of one model; far more than any has.
inline constexpr std::size_t most_layer_types = 64;

/// The kinds in the order in which the layers first show them; one plan "all" where every layer is alike.
std::vector<LayerPlan> layer_plans(const Subject& s);

}  // namespace posenc::sources
