#pragma once
// app: what two encodings have in common and where they part, in words and as JSON.
#include "app/subjects.hpp"
#include "model/views/difference.hpp"

namespace posenc::app {

enum class Agreement { same, layout, different };

struct Comparison {
  std::string first, second;  // labels
  Agreement agreement = Agreement::same;
  std::vector<model::ArrayDifference> arrays;
  std::string layout;               // "channels permuted: half_split against interleaved"
  std::vector<model::Index> order;  // channel of the second that plays the part of each channel of the first; empty: the same
  model::Pos first_position = 0, last_position = 0, in_use = 0;  // that were compared
  std::vector<std::string> notes;   // facts of the whole score that differ, scores that do not stay relative
};

/// Both as used at the request's length in use, over its positions and lags.
Comparison compare(const Entry& a, const Entry& b, const model::Request& request, double tolerance);

std::string text(const Comparison& c, double tolerance);
std::string json(const std::vector<Comparison>& all, double tolerance);

}  // namespace posenc::app
