#pragma once
// app: what `posenc --version` prints.
#include <string>

namespace posenc::app {

std::string version_text(bool as_json);

}  // namespace posenc::app
