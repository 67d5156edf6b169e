#pragma once
// model: what an encoding is made of, as named arrays in blocks.
#include "core/schema.hpp"
#include "model/encoding.hpp"
#include "model/request.hpp"

namespace posenc::model {

/// Variables of one shape, filled together. fill(first, count, out) writes rows first..first+count-1 of the leading dimension,
/// out[i] those of variables[i] in C order; by_element: elements instead of rows, where a row (head, lag) may be long.
struct ArrayGroup {
  std::vector<Dimension> dims;  // the leading dimension first; coordinates are among the variables or made elsewhere
  std::vector<Variable> variables;
  std::function<void(Pos first, Index count, const std::vector<double*>& out)> fill;
  bool by_element = false;
};

/// Every array of the encoding: frequencies and rotations, tables, relative vectors, biases, by position (request.start on) or
/// by lag (0 on; encodings that depend on the query are taken at the last of request.length positions). Variables of positions
/// beyond a table's rows do not exist: its dimension is shorter.
std::vector<ArrayGroup> arrays(const Encoding& e, const Request& request);

}  // namespace posenc::model
