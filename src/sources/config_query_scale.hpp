#pragma once
// sources: factors of a query's scores that grow with its position, from config.json.
#include "sources/config_scope.hpp"

#include <span>

namespace posenc::sources {

/// use_logn_attn (Qwen), attn_temperature_tuning (Llama 4: layers without rotation) and llama_4_scaling_beta (Ministral 3: yarn)
/// of the object, set in the encodings of the layers that have such a key; a warning where none has.
void read_query_scale(const Scope& object, std::span<LayerReport> layers);

}  // namespace posenc::sources
