#pragma once
// app: differences that the rounding of a file's numbers explains.
#include "app/comparison.hpp"

namespace posenc::app {

/// Makes `first` of every array the first element apart where frequencies and attention factors within out.stored of each other,
/// relative, count as equal.
void look_beyond_rounding(const model::Encoding& a, const model::Encoding& b, const model::Request& q, double tolerance,
                          Comparison& out);

}  // namespace posenc::app
