#pragma once
// analyses: wavelengths, near returns and the common period of encodings that turn with the lag.
#include "model/analysis.hpp"

namespace posenc::analyses {

/// Declares the variables, or why each does not apply.
void declare_turning(const model::Subject& s, const model::Encoding& e, Schema& out);
/// Writes them, if any.
void write_turning(const model::Subject& s, const model::Encoding& e, Sink& sink);

}  // namespace posenc::analyses
