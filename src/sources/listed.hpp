#pragma once
// sources: encodings written out in a JSON file: {"encodings": [{"scheme": "shaw", "label": "layer0", "values": {"clip": 8},
// "files": {"table": "shaw.rk.npy"}}]}. Files are named from the folder of the JSON file.
#include "sources/json.hpp"
#include "sources/model_report.hpp"

namespace posenc::sources {

bool lists_encodings(const JsonDocument& document);

/// One layer an encoding, named by its label (one without a label: "all"). `folder` stands before the names under "files". What
/// is wrong is listed under errors, one line each, and leaves the report without layers; whether a scheme has the fields named
/// shows when it is made.
ModelReport read_listed(const JsonDocument& document, const std::string& folder);

}  // namespace posenc::sources
