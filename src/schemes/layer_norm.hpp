#pragma once
// schemes: layer norm over the channels of a table's rows.
#include "model/scheme.hpp"

#include <string>

namespace posenc::schemes {

struct LayerNorm {
  model::Vector gain, offset;
};

/// PREFIX.weight.npy and PREFIX.bias.npy (array_parts.hpp); an empty prefix gives gain 1 and offset 0. Throws what the loader and model/tensor.hpp
/// throw.
LayerNorm layer_norm(const model::Context& context, std::string_view owner, std::string_view field, const std::string& prefix,
                     model::Index channels);
/// Row p becomes gain (x - mean)/sqrt(variance + 1e-5) + offset, population variance.
std::shared_ptr<const model::Rows> normed(std::shared_ptr<const model::Rows> rows, LayerNorm norm);

}  // namespace posenc::schemes
