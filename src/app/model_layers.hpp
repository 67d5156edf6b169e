#pragma once
// app: joins a model's file and the schemes: the frequencies that its layers rotate with.
#include "sources/model_report.hpp"

namespace posenc::app {

/// The positions that a layer is made for: those of the file, else its training length.
model::Pos model_positions(const sources::LayerReport& layer);

/// Fills attention_factor, inv_freq, inv_freq_long, those of at_seq_len and the bounds of every rotary layer by lowering its
/// encoding at the lengths that the report names. Throws UsageError where a scheme refuses what the file says.
void fill_frequencies(sources::ModelReport& report);

}  // namespace posenc::app
