#include "io/library_version.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <libdeflate.h>

namespace posenc::io {

std::string hdf5_version() {
  unsigned major = 0, minor = 0, release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string hdf5_compiled_version() { return fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE); }

std::string deflate_version() { return LIBDEFLATE_VERSION_STRING; }

}  // namespace posenc::io
