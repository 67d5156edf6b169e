#pragma once
// schemes: arrays from files that fields name, and their agreement with fields given beside them.
#include "model/scheme.hpp"

#include <string>

namespace posenc::schemes {

/// The file as a matrix or vector of that shape; -1 accepts any size. Throws what the loader and model/tensor.hpp throw.
model::Matrix matrix_file(const model::Context& context, std::string_view owner, std::string_view field, const std::string& file,
                          model::Index rows, model::Index columns);
model::Vector vector_file(const model::Context& context, std::string_view owner, std::string_view field, const std::string& file,
                          model::Index size);

/// A size that a file decides: fills `value`, or throws BadData "owner: field = file: NAME is SIZE, but NAME = VALUE is given"
/// where it was given otherwise.
void agree(std::string_view owner, std::string_view field, const std::string& file, std::string_view name,
           std::optional<std::int64_t>& value, std::int64_t size);

}  // namespace posenc::schemes
