#include "model/request.hpp"

#include <array>

namespace posenc::model {

Fields Request::fields() {
  static constexpr std::array<std::string_view, 2> dtypes{"f64", "f32"};
  const Range positions{.low = 1, .high = 0x1p53};
  return {
      {"length", "position", "number of positions and lags computed, and the training length of encodings without one", &length, positions},
      {"at", "position", "length in use", &at, positions, "length"},
      {"extend", "1", "multiples of the training length that extrapolation looks at", &extend, Range{.low = 1, .high = 1024, .open_low = true}},
      {"start", "position", "first position of the arrays", &start, between(0, 0x1p53)},
      {"lag-horizon", "position", "lags below it are searched for near returns and aliases", &lag_horizon, positions, "16 length"},
      {"position-horizon", "position", "positions below it are examined for precision", &position_horizon, positions},
      {"seed", "1", "seed of parameters that are drawn", &seed, between(0, 0x1p53)},
      {"sample-seed", "1", "seed of sampled queries and keys", &sample_seed, between(0, 0x1p53)},
      {"dtype", "1", "type of the arrays of encodings; computed in f64 and rounded once", choice(dtype, dtypes)},
      {"tables", "1", "write the arrays of encodings in run", &tables},
  };
}

}  // namespace posenc::model
