#pragma once
// app: --dim, --base and --heads, which reach every encoding that has the field and does not set it itself.
#include "core/field.hpp"
#include "model/scheme.hpp"

namespace posenc::app {

struct Overrides {
  std::optional<std::int64_t> dim, heads;
  std::optional<double> base;

  Fields fields();
};

/// Adds the given ones to the values of each spec. Throws UsageError for one whose field no encoding has.
/// Returns the names of those that every encoding which has the field sets itself, so that they change nothing.
std::vector<std::string> apply(Overrides& overrides, std::vector<model::EncodingSpec>& specs);

}  // namespace posenc::app
