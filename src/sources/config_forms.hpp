#pragma once
// sources: models whose positions are not rotary: tables, biases, relative vectors, none.
#include "sources/config_attention.hpp"

namespace posenc::sources {

/// The kind by the keys that decide it whatever the family (alibi, position_embedding_type), else the family's.
Kind kind_of(const Subject& subject);
/// Fills scheme and layers of a model that is not rotary.
void read_form(const Subject& subject, Kind kind, ModelReport& report);

}  // namespace posenc::sources
