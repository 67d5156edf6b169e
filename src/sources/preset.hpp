#pragma once
// sources: the files that the project brings along: models, data/models/NAME.json, and trained tables, data/trained/NAME.json as
// trained-NAME.
#include <string>
#include <string_view>
#include <vector>

namespace posenc::sources {

/// Names in alphabetic order; none where data_dir has none.
std::vector<std::string> preset_names(std::string_view data_dir);

/// The file of the preset. Throws UsageError with the nearest name where there is none.
std::string preset_file(std::string_view data_dir, std::string_view name);
/// The folder of the preset's tables as their names begin: @models, @trained.
std::string preset_folder(std::string_view name);

}  // namespace posenc::sources
