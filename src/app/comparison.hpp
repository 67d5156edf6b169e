#pragma once
// app: what two encodings have in common and where they part, in words and as JSON.
#include "app/comparison_layers.hpp"
#include "model/views/difference.hpp"

namespace posenc::app {

enum class Agreement { same, layout, different };

/// What a file cannot hold exactly, or not at all.
struct Allowance {
  double stored = 0;            // relative error of frequencies and factors that a file rounds
  bool values_unknown = false;  // a table that one side's file does not hold: its shape alone is compared
  bool cache = false;           // a table given by its file may hold the cosines and sines of the other side's rotation
  bool vector_first = false, vector_second = false;  // a side is a file of frequencies, which says nothing else
};

/// Frequencies at one length in use that are not those at the trained length.
struct Growth {
  std::string label;
  model::Pos trained = 0, in_use = 0;
  double turns = 0;  // by how much a key cached at the trained length is off
};

struct Comparison {
  std::string first, second;  // labels
  Agreement agreement = Agreement::same;
  std::vector<model::ArrayDifference> arrays;
  std::string columns;              // of a table that was read as cosines and sines
  std::string layout;               // "half_split against interleaved"
  std::vector<model::Index> order;  // channel of the second that plays the part of each channel of the first; empty: the same
  model::Pos first_position = 0, last_position = 0, in_use = 0;  // that were compared
  bool table_ends = false;                                       // a table's last row is before the last position asked for
  double stored = 0;               // frequencies and factors that near, relative, count as equal in ArrayDifference::first
  std::optional<double> rounded;   // agrees but for the rounding of a file's numbers: the largest relative difference
  std::vector<Growth> growth;      // scores that do not stay relative while a sequence grows
  std::vector<std::string> notes;  // facts of the whole score that differ
};

/// Both as used at the request's length in use, over its positions and lags.
Comparison compare(const Entry& a, const Entry& b, const model::Request& request, double tolerance, const Allowance& allowance);

/// Whether the encoding in use at one length is not that at the other, by its arrays at the first and the last positions.
bool changes(const Entry& entry, const model::Request& request, model::Pos one, model::Pos other);

std::string text(const Comparison& c, const LayerMatch& layers, double tolerance);
/// Layers and heads of two models; empty where nothing is known of them.
std::string text(const LayerMatch& layers);
std::string json(const std::vector<Comparison>& all, const LayerMatch& layers, double tolerance);

}  // namespace posenc::app
