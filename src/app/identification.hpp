#pragma once
// app: which scheme made an array: every scheme that recognises numbers is asked, what it proposes is computed and compared.
#include "model/views/observe.hpp"

namespace posenc::app {

struct Explanation {
  model::EncodingSpec spec;
  std::string layout;     // of the columns; empty for frequencies
  model::Pos start = 0;   // position of the first row
  double residual = 0;    // largest |difference|; of frequencies relative
  model::Pos row = 0;     // where: row and column, or pair
  model::Index column = 0;
};

struct Identification {
  std::string kind;                        // "frequencies", "table", "cosines and sines"
  std::vector<Explanation> explanations;   // nearest first, at most one a scheme
  std::string stored;                      // narrowest format that holds every value: float16, bfloat16, float32, float64
  std::string precision;                   // what the residual of the best says of the arithmetic
  bool known = false;                      // the best explains the numbers
  double attention_factor = 1;             // amplitude of the cosines and sines
};

/// A vector is frequencies in rad per position (or their inverses, where they grow); rows are a table, or cosines and sines where
/// two arrays were given, `halves`.
Identification identify(const model::Matrix& values, bool halves);

std::string text(const Identification& found, const std::string& name);
std::string json(const Identification& found);

}  // namespace posenc::app
