#pragma once
// schemes: parameters that training would set, drawn from a seed instead. Number i of a name depends on (seed, name, i) alone.
#include "model/encoding.hpp"

namespace posenc::schemes {

/// truncated: normal conditioned on |z| <= 2 before scaling; uniform: symmetric, with that standard deviation.
enum class Law { normal, truncated, uniform };

/// rows x columns numbers, standard deviation `spread` (before truncation), stream `name`, row-major from number 0.
model::Matrix drawn_matrix(std::uint64_t seed, const char* name, model::Index rows, model::Index columns, double spread);
model::Vector drawn_vector(std::uint64_t seed, const char* name, model::Index size, double spread);
/// The same numbers as rows made on demand: a table of any size.
std::shared_ptr<const model::Rows> drawn_rows(std::uint64_t seed, const char* name, model::Pos rows, model::Index channels,
                                              double spread, Law law = Law::normal);
/// The rows of a matrix.
std::shared_ptr<const model::Rows> matrix_rows(model::Matrix matrix);

}  // namespace posenc::schemes
