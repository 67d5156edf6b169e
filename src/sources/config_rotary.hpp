#pragma once
// sources: models with rotation: one report a layer type.
#include "sources/config_attention.hpp"

namespace posenc::sources {

/// Fills scheme and layers.
void read_rotary(const Subject& subject, ModelReport& report);
/// Gives layers without scaling the training length that scaled ones name; one layer "all" where `may_merge` and all are alike.
void join_layers(std::vector<LayerReport>& layers, bool may_merge);

}  // namespace posenc::sources
