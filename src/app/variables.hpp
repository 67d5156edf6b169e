#pragma once
// app: every variable an analysis may write, over all schemes.
#include "model/analysis.hpp"

namespace posenc::app {

struct Described {
  Variable variable;
  std::vector<std::string> schemes;  // that have it with default values
};

/// The union of the analysis's schemas over all schemes with default values and over the options of the analysis that add
/// variables, in order of first appearance. A variable of the same name with other dimensions is listed once more. The options
/// are left as they were.
std::vector<Described> variables_of(model::Analysis& analysis);

}  // namespace posenc::app
