#pragma once
// app: joins a model's file and the schemes: the frequencies that its layers rotate with.
#include "sources/model_report.hpp"

namespace posenc::app {

/// Fills attention_factor, inv_freq, inv_freq_long and those of at_seq_len of every rotary layer by lowering its encoding
/// at the lengths that the report names. Throws UsageError where a scheme refuses what the file says.
void fill_frequencies(sources::ModelReport& report);

}  // namespace posenc::app
