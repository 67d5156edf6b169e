#pragma once
// app: which scheme made an array: every scheme that recognises numbers is asked, what it proposes is computed and compared.
#include "model/views/cache_departure.hpp"

namespace posenc::app {

struct Explanation {
  model::EncodingSpec spec;
  model::Pos in_use = 0;          // tokens in use, where the numbers depend on them; else 0
  std::string note;               // of the scheme
  std::vector<std::string> also;  // other words for the same numbers, simplest first
  std::string layout;             // of the columns; empty for a vector
  model::Pos start = 0;           // position of the first row
  int step = 1;                   // from row to row
  double amplitude = 1;           // times the cosines and sines of the encoding
  std::string amplitude_words;    // "sqrt(64)"; empty where it is just a number
  std::string precision;          // the arithmetic that explains the numbers best
  double residual = 0;            // largest |difference|, of vectors relative; and where: row and column, or pair
  model::Index row = 0, column = 0;
  std::optional<std::array<model::Index, 2>> first;  // row and column, or pair, of the first beyond the rounding
  model::Index agreeing = 0, count = 0;              // rows, or pairs
  bool explains = false;                             // all agree
  bool strictly = false;                             // to the rounding of the storage format
  bool nearly = false;                               // all but a few do, to that rounding
};

struct Identification {
  std::string kind;                       // "frequencies", "table", "cosines and sines", ...
  std::vector<Explanation> explanations;  // best first, at most one a scheme
  std::string stored;                     // narrowest format that holds every value
  bool sinusoids = false;                 // of a table: cosines and sines of steady amplitude were read out of it
  std::optional<double> amplitude;        // theirs
  std::string why;                        // nothing was sought; empty where it was
  double variance_explained = 0;          // by the nearest, where there are none

  bool known() const { return !explanations.empty() && explanations.front().explains; }
  const std::string precision() const { return explanations.empty() ? "" : explanations.front().precision; }
};

/// What was read from the files.
struct IdentificationInput {
  model::Matrix values;      // a vector is one row
  bool halves = false;       // cosines, then sines
  std::string shape;         // words for how the array was taken, where that is not plain
  model::LaterRows later{};  // rows behind those of `values`, compared with what explains them
};

/// A vector is frequencies in rad per position, inverses of them, wavelengths, or divisors of plain frequencies; rows are a
/// table, or cosines and sines where two arrays were given; positions by row or, where nothing is found so, by column.
Identification identify(const IdentificationInput& input);
/// Its two cases.
Identification identify_vector(const std::vector<double>& values);
Identification identify_rows(const model::Matrix& values, bool halves, const model::LaterRows& later = {});

/// "NAME:key=value,...", with the length in use behind it where there is one.
std::string encoding_word(const Explanation& e);

/// A verdict in one line, then what supports it.
std::string text(const Identification& found, const std::string& name);
std::string json(const Identification& found);

}  // namespace posenc::app
