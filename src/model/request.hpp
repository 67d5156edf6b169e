#pragma once
// model: what the user asks of every encoding and analysis: lengths, multiples, horizons, seeds. Declared once; the
// command line, sweep files and the output's attributes read it.
#include "core/field.hpp"
#include "model/encoding.hpp"

namespace posenc::model {

enum class Dtype : int { f64, f32 };

struct Request {
  Pos length = 4096;                        // positions and lags computed
  std::optional<Pos> at;                    // length in use; default: length
  std::vector<double> extend = {2, 4, 8};   // multiples of the training length that extrapolation looks at
  Pos start = 0;                            // first position
  std::optional<Pos> lag_horizon;           // default: 16 lengths
  Pos position_horizon = Pos{1} << 20;
  std::int64_t seed = 0, sample_seed = 0;
  Dtype dtype = Dtype::f64;                 // of the arrays of `encodings`
  bool tables = true;                       // run writes the arrays too

  Fields fields();
  Pos in_use() const { return at.value_or(length); }
  Pos horizon() const { return lag_horizon.value_or(16 * length); }
};

}  // namespace posenc::model
