#pragma once
// sources: models with rotation: one report a layer type.
#include "sources/config_attention.hpp"

namespace posenc::sources {

/// Fills scheme and layers.
void read_rotary(const Subject& subject, ModelReport& report);
/// Keys that scale queries by position and leave the rotation as it is.
void note_score_scaling(const Scope& object);

}  // namespace posenc::sources
