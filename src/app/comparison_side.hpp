#pragma once
// app: one of the two subjects of a comparison: its encodings, and what its file says beside them.
#include "app/overrides.hpp"
#include "app/subjects.hpp"
#include "sources/model_report.hpp"

namespace posenc::app {

struct Side {
  std::string word;                           // the user's
  std::vector<model::EncodingSpec> specs;     // labels assigned
  std::optional<sources::ModelReport> model;  // where the word names a model's file
  double stored = 0;                          // relative error of frequencies that the file holds in float32
  bool vector = false;                        // the word names a file of frequencies, and nothing else is said of the rotation
  std::string table;                          // the file, where the word names a table's

  /// The layer type that the encoding is of; nullptr where there is no model.
  const sources::LayerReport* layer(std::size_t spec) const;
  /// Index of the encoding of a layer of the model; nothing where such layers have no attention.
  std::optional<std::size_t> spec_of(std::size_t layer) const;
};

/// The word's encodings, overrides applied. Throws UsageError, or Error for a file.
Side read_side(const std::string& word, Overrides& overrides);

/// Lengths that an encoding brings along; nothing where it follows the length asked for.
struct OwnLengths {
  std::optional<model::Pos> trained;  // before any extension
  std::optional<model::Pos> longest;  // what the file says, or the trained length times the factor of extension
};
OwnLengths own_lengths(const Side& side, std::size_t spec, const model::Request& request, const model::TableLoader& tables);

}  // namespace posenc::app
