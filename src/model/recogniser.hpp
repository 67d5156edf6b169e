#pragma once
// model: schemes that recognise their own numbers. Optional for a scheme: one that also is a Recogniser takes part in identify.
#include "model/scheme.hpp"

namespace posenc::model {

/// What was read out of an array whose scheme is asked.
struct Observation {
  std::vector<double> frequency;  // rad per position, one a pair in their order
  bool table = false;             // rows that are added to embeddings, not cosines and sines of a rotation
  Index channels = 0;             // of a table
  double attention_factor = 1;    // amplitude of the cosines and sines
};

class Recogniser {
 public:
  virtual ~Recogniser() = default;
  /// Values under which the scheme might have made these numbers, parameters estimated; empty where it cannot have. What is
  /// proposed is computed and compared: a poor guess costs time, not truth.
  virtual std::vector<EncodingSpec> explain(const Observation& seen) const = 0;
};

}  // namespace posenc::model
