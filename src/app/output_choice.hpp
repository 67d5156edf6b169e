#pragma once
// app: options about the output file.
#include "core/field.hpp"

namespace posenc::app {

struct OutputChoice {
  std::string output;  // empty: no file; "-": stdout
  bool force = false, reproducible = false, dry_run = false;
  std::int64_t deflate = 0;

  Fields fields();
};

}  // namespace posenc::app
