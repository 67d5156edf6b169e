#pragma once
// app: where the files that come with the program are.
#include <string>

namespace posenc::app {

/// POSENC_DATA where it is set; else share/posenc beside the program's bin; else data/ of the source tree it was built from.
std::string data_folder();

}  // namespace posenc::app
