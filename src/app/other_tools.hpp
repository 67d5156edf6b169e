#pragma once
// app: one config.json as the other tools read it.
#include "sources/dialect.hpp"
#include "sources/model_report.hpp"

#include <functional>

namespace posenc::app {

/// Reads the file as every other tool and adds to report.what_if each layer type that the tool encodes otherwise, and to
/// report.tools a line for each tool: that it refuses the file and why, or nothing to say. Of a file that is no config.json
/// there are none.
void add_other_tools(sources::ModelReport& report, const std::function<sources::ModelReport(sources::Dialect)>& read);

/// After the consequences: whether the tool's rotation is that of the report.
bool turns_alike(const sources::ModelReport& report, const std::string& tool);

}  // namespace posenc::app
