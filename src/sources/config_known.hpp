#pragma once
// sources: names that config.json files have for positions, whichever model reads them.
#include <string>
#include <string_view>
#include <vector>

namespace posenc::sources {

/// Keys of the model's object that some family reads for its positions.
bool is_position_key(std::string_view name);
/// Keys of a rotation's dictionary (rope_scaling, rope_parameters): such a name is no layer type.
bool is_scaling_key(std::string_view name);

/// Layer types of huggingface/transformers, and of models with code of their own.
bool is_layer_type(std::string_view name);
/// One line on the names that are no known layer types, with the nearest known one of the first; empty where all are known.
std::string unknown_layer_types(const std::vector<std::string>& names);

}  // namespace posenc::sources
