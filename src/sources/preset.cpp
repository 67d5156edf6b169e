#include "sources/preset.hpp"

#include "core/field.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

namespace posenc::sources {
namespace {

constexpr std::string_view facts = "facts";  // of all models, from which their presets are made

struct Folder {
  std::string_view name, prefix;  // in the data folder; before the names of its files
};
constexpr Folder folders[] = {{"models", ""}, {"trained", "trained-"}};

const Folder& folder_of(std::string_view name) { return name.starts_with(folders[1].prefix) ? folders[1] : folders[0]; }

}  // namespace

std::vector<std::string> preset_names(std::string_view data_dir) {
  std::vector<std::string> out;
  std::error_code missing;
  for (const Folder& folder : folders)
    for (const auto& entry : std::filesystem::directory_iterator(fmt::format("{}/{}", data_dir, folder.name), missing))
      if (entry.path().extension() == ".json" && entry.path().stem() != facts)
        out.push_back(fmt::format("{}{}", folder.prefix, entry.path().stem().string()));
  std::sort(out.begin(), out.end());
  return out;
}

std::string preset_file(std::string_view data_dir, std::string_view name) {
  const std::vector<std::string> names = preset_names(data_dir);
  if (!std::binary_search(names.begin(), names.end(), name))
    unknown("preset", name, std::vector<std::string_view>(names.begin(), names.end()));
  const Folder& folder = folder_of(name);
  return fmt::format("{}/{}/{}.json", data_dir, folder.name, name.substr(folder.prefix.size()));
}

std::string preset_folder(std::string_view name) { return fmt::format("@{}", folder_of(name).name); }

}  // namespace posenc::sources
