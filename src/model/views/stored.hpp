#pragma once
// model: the format in which the numbers of an array were kept, as far as the numbers themselves tell.
#include "math/formats.hpp"

#include <span>
#include <string>

namespace posenc::model {

struct Stored {
  std::string name = "float64";                // float16, bfloat16, float32, float64, "numbers of 6 decimals"
  const math::BinaryFormat* format = nullptr;  // none: float64 or decimals
  int decimals = -1;                           // -1: binary

  /// x as the format keeps it.
  double round(double x) const;
  /// Distance of neighbours of x in it.
  double spacing(double x) const;
};

/// The narrowest format that holds every value: bfloat16, float16, float32, 3 to 12 decimals, else float64.
Stored stored_as(std::span<const double> values);

}  // namespace posenc::model
