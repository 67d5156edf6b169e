#pragma once
// analyses: which distances look alike, for encodings that see positions through their distance alone.
#include "model/analysis.hpp"

namespace posenc::analyses {

/// Declares the variables of classes of lags and of the steps of biases, or why each does not apply.
void declare_classes(const model::Subject& s, const model::Encoding& e, Schema& out);
/// Writes them, if any; `shape` is the whole schema.
void write_classes(const model::Subject& s, const model::Encoding& e, const Schema& shape, Sink& sink);

}  // namespace posenc::analyses
