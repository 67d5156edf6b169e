#include "app/comparison_tables.hpp"

#include "app/cache_shapes.hpp"

#include <algorithm>

namespace posenc::app {

std::shared_ptr<const model::Tensor> ComparisonTables::open(const std::string& file) const {
  auto array = Tables::open(file);
  const bool compared = std::find(files_.begin(), files_.end(), file) != files_.end();
  return compared ? shaped(std::move(array), file).tensor : array;
}

}  // namespace posenc::app
