#include "app/data_folder.hpp"

#include <cstdlib>
#include <filesystem>

namespace posenc::app {

std::string data_folder() {
  if (const char* given = std::getenv("POSENC_DATA"); given && *given) return given;
  std::error_code missing;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", missing);
  if (!missing) {
    const auto installed = program.parent_path().parent_path() / "share" / "posenc";
    if (std::filesystem::is_directory(installed, missing)) return installed.string();
  }
  return POSENC_SOURCE_DATA;
}

}  // namespace posenc::app
