#pragma once
// analyses: the spectrum of a table over positions.
#include "model/analysis.hpp"

namespace posenc::analyses {

/// Declares the variables, or why each does not apply.
void declare_table_spectrum(const model::Subject& s, const model::Encoding& e, Schema& out);
/// Writes them, if any.
void write_table_spectrum(const model::Subject& s, const model::Encoding& e, Sink& sink);

}  // namespace posenc::analyses
