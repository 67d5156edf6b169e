#pragma once
// model: schemes that recognise their own numbers. Optional for a scheme: one that also is a Recogniser takes part in identify.
#include "model/scheme.hpp"

namespace posenc::model {

/// What was read out of an array whose scheme is asked. No frequencies: no sinusoids were found in it, and the scheme proposes
/// its plainest form, to be told how far it is off.
struct Observation {
  std::vector<double> frequency;    // rad per position, one a pair in their order
  std::vector<double> uncertainty;  // of each, rad per position: largest error that rounding explains
  Index pairs = 0;
  Index channels = 0;                // of a table
  bool table = false;                // may be rows that are added to embeddings
  bool alternating = false;          // their columns: a pair's side by side, else all of one kind before all of the other
  bool rotation = false;             // may be frequencies, or cosines and sines, of a rotation
  std::optional<double> amplitude;   // of the cosines and sines; none of a vector of frequencies
  double amplitude_uncertainty = 0;  // relative
  std::vector<Pos> zero_rows;        // positions whose row is zero throughout
};

/// A scheme with values under which it might have made the numbers.
struct Proposal {
  EncodingSpec spec;
  Pos in_use = 0;      // tokens in use, where the numbers depend on them; 0: they do not
  std::string note{};  // what a reader should know beside it: "base^(-i/d) of base 10000"
};

class Recogniser {
 public:
  virtual ~Recogniser() = default;
  /// Values under which the scheme might have made these numbers, parameters estimated; empty where it cannot have. What is
  /// proposed is computed and compared: a poor guess costs time, not truth.
  virtual std::vector<Proposal> explain(const Observation& seen) const = 0;
};

}  // namespace posenc::model
