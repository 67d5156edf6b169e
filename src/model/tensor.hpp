#pragma once
// model: an array of numbers that comes from a file. sources implements the loader, schemes ask it.
#include "model/encoding.hpp"

#include <span>

namespace posenc::model {

/// C-order array, read as float64 exactly whatever its stored type (f16, bf16, f32, f64, integers). May be a memory map.
struct Tensor {
  virtual ~Tensor() = default;
  virtual const std::vector<Pos>& shape() const = 0;
  /// Elements first .. first + out.size() - 1 of the flattened array. Thread-safe.
  virtual void read(Pos first, std::span<double> out) const = 0;

  Pos size() const {
    Pos n = 1;
    for (const Pos s : shape()) n *= s;
    return n;
  }
};

struct TableLoader {
  virtual ~TableLoader() = default;
  /// `file` is a path, `FILE#NAME` one array of a file that holds several. Throws Error: no_input where it is missing,
  /// bad_data where it is not an array of finite numbers.
  virtual std::shared_ptr<const Tensor> open(const std::string& file) const = 0;
};

/// The tensor as a matrix; `rule` names the shape that the field wants. -1 in rows or columns accepts any size.
/// Throws BadData "owner: field = file: must have shape ...".
Matrix matrix_from(const Tensor& tensor, std::string_view owner, std::string_view field, std::string_view file, Index rows,
                   Index columns);
Vector vector_from(const Tensor& tensor, std::string_view owner, std::string_view field, std::string_view file, Index size);
/// The tensor [rows][channels], leading dimensions of 1 left out, as rows of a table, read in blocks.
std::shared_ptr<const Rows> rows_from(std::shared_ptr<const Tensor> tensor, std::string_view owner, std::string_view field,
                                      std::string_view file);

}  // namespace posenc::model
