#include "schemes/files.hpp"

#include "core/error.hpp"

#include <fmt/format.h>

namespace posenc::schemes {

model::Matrix matrix_file(const model::Context& context, std::string_view owner, std::string_view field, const std::string& file,
                          model::Index rows, model::Index columns) {
  return model::matrix_from(*context.tables->open(file), owner, field, file, rows, columns);
}

model::Vector vector_file(const model::Context& context, std::string_view owner, std::string_view field, const std::string& file,
                          model::Index size) {
  return model::vector_from(*context.tables->open(file), owner, field, file, size);
}

void agree(std::string_view owner, std::string_view field, const std::string& file, std::string_view name,
           std::optional<std::int64_t>& value, std::int64_t size) {
  if (value && *value != size)
    throw BadData(fmt::format("{}: {} = {}: {} is {}, but {} = {} is given", owner, field, file, name, size, name, *value));
  value = size;
}

}  // namespace posenc::schemes
