#pragma once
// analyses: which positions look alike, for encodings that make positions points of a space.
#include "model/analysis.hpp"
#include "model/views/position_code.hpp"

namespace posenc::analyses {

struct AmbiguityOptions {
  std::vector<double> noise = {0.3, 0.1, 0.03, 0.01};
  std::optional<std::int64_t> guard;  // absent: the end of the main lobe
};

/// Declares the variables of distances between positions, or why each does not apply.
void declare_points(const model::Subject& s, const model::Encoding& e, const AmbiguityOptions& options, Schema& out);
/// Writes them, if any.
void write_points(const model::Subject& s, const model::Encoding& e, const AmbiguityOptions& options, Sink& sink);

}  // namespace posenc::analyses
