#pragma once
// io: the versions of the libraries that made the bytes.
#include <string>

namespace posenc::io {

/// HDF5 as linked at run time, "1.10.8"; as compiled against.
std::string hdf5_version();
std::string hdf5_compiled_version();
/// Of libdeflate, which compresses.
std::string deflate_version();

}  // namespace posenc::io
