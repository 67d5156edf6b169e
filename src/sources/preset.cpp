#include "sources/preset.hpp"

#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

namespace posenc::sources {
namespace {

constexpr std::string_view facts = "facts";  // of all presets, from which they are made

std::string folder(std::string_view data_dir) { return fmt::format("{}/models", data_dir); }

}  // namespace

std::vector<std::string> preset_names(std::string_view data_dir) {
  std::vector<std::string> out;
  std::error_code missing;
  for (const auto& entry : std::filesystem::directory_iterator(folder(data_dir), missing))
    if (entry.path().extension() == ".json" && entry.path().stem() != facts) out.push_back(entry.path().stem());
  std::sort(out.begin(), out.end());
  return out;
}

std::string preset_file(std::string_view data_dir, std::string_view name) {
  const std::vector<std::string> names = preset_names(data_dir);
  if (!std::binary_search(names.begin(), names.end(), name))
    unknown("preset", name, std::vector<std::string_view>(names.begin(), names.end()));
  return fmt::format("{}/{}.json", folder(data_dir), name);
}

}  // namespace posenc::sources
