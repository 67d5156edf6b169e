#pragma once
// sources: the models that the project brings along, data/models/NAME.json.
#include <string>
#include <string_view>
#include <vector>

namespace posenc::sources {

/// Names in alphabetic order; none where data_dir has no models.
std::vector<std::string> preset_names(std::string_view data_dir);

/// The file of the preset. Throws UsageError with the nearest name where there is none.
std::string preset_file(std::string_view data_dir, std::string_view name);

}  // namespace posenc::sources
