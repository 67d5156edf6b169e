#pragma once
// app: measures of extrapolation beside the losses of small models that were trained with each encoding.
#include "app/published/runs.hpp"

#include <array>

namespace posenc::app {

/// One trained encoding: its measured excess loss (nats a character, last quarter of the positions, mean over seeds) at each
/// factor, and each measure of extrapolation at that factor (mean over heads), NaN where it has none.
struct TruthRow {
  TruthUnit unit;
  std::vector<double> excess;
  std::map<std::string, std::vector<double>, std::less<>> measures;
};
struct TruthTable {
  std::vector<double> factors;
  std::vector<std::string> measures;
  std::vector<TruthRow> rows;
};

void need_truth(const Truth& truth, PublishedRuns& runs);
/// Throws Error for a file of losses that is missing, malformed, or lacks a unit.
TruthTable truth_table(const Truth& truth, const PublishedRuns& runs);

/// Spearman's rank correlation (ties share their mean rank) of a measure with the excess over the rows that have the measure and
/// are not of the family `without`; NaN for fewer than three or where either is constant.
double spearman(const TruthTable& table, std::string_view measure, double factor, std::string_view without = {});
/// The same for a number of the list: its variable, its factor, its family. Throws UsageError where there is no such measure.
double spearman(const TruthTable& table, const PublishedNumber& number);

/// The tables for reading: excess beside measures, correlations with their range as one family is left out, the largest misses.
std::string truth_text(const TruthTable& table);

/// Mean ranks, from 1; values that differ by a relative 1e-12 or less, the rounding of a measure, are ties.
std::vector<double> ranks(const std::vector<double>& x);

}  // namespace posenc::app
