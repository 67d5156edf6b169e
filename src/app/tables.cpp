#include "app/tables.hpp"

#include "app/data_folder.hpp"
#include "core/error.hpp"
#include "io/table.hpp"
#include "sources/loader.hpp"

#include <fmt/format.h>

namespace posenc::app {
namespace {

bool is_hdf5(std::string_view file) {
  const std::string_view path = file.substr(0, file.rfind('#'));
  return path.ends_with(".h5") || path.ends_with(".hdf5");
}

}  // namespace

std::shared_ptr<const model::Tensor> Tables::open(const std::string& file) const {
  const std::string path = file.starts_with('@') ? data_folder() + "/" + file.substr(1) : file;
  if (is_hdf5(path)) return io::open_table(path);
  if (!sources::is_table(path))
    throw BadData(fmt::format("{}: unknown table format: must end in {}, .h5, .hdf5", file, sources::table_suffixes()));
  return sources::FileLoader().open(path);
}

}  // namespace posenc::app
