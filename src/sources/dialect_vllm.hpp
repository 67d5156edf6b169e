#pragma once
// sources: what vLLM makes of a config.json where it differs from transformers: vllm-project/vllm
// model_executor/layers/rotary_embedding, transformers_utils/config.py, config/model.py.
#include "sources/config_rope.hpp"

namespace posenc::sources {

/// Completes the layer by its rope_type, as read_rope_type does; `positions` become the length that vLLM derives from them.
/// False where the type is unknown.
bool read_vllm_type(const Rotation& r);

/// model_max_length, else the least of the keys that give a length; nothing without any.
std::optional<model::Pos> vllm_positions(const Subject& s);
/// One length for the model: that of the last layer type with scaling.
void share_vllm_length(std::vector<LayerReport>& layers);
/// Whether vLLM refuses the two names of the scaling's kind side by side.
bool vllm_conflict(std::string_view rope_type, std::string_view type);

}  // namespace posenc::sources
