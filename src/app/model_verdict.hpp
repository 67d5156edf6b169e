#pragma once
// app: what `posenc inspect` says on a terminal.
#include "sources/model_report.hpp"

#include <string>

namespace posenc::app {

/// One screen: each layer type's rotation or scheme, wavelengths against the training length, keys by status, warnings and
/// errors. `every_key`: one line a key with its note.
std::string model_verdict(const sources::ModelReport& report, const std::string& file, bool every_key);

}  // namespace posenc::app
