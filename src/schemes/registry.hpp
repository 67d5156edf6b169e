#pragma once
// schemes: the list of all schemes, from schemes.def.
#include "core/registry.hpp"
#include "model/scheme.hpp"

namespace posenc::schemes {

const Registry<model::Scheme>& registry();

}  // namespace posenc::schemes
