#pragma once
// analyses: the list of all analyses, from analyses.def.
#include "core/registry.hpp"
#include "model/analysis.hpp"

namespace posenc::analyses {

const Registry<model::Analysis>& registry();

}  // namespace posenc::analyses
