#pragma once
// app: from what a run wrote to the one number that a paper prints.
#include "app/published/runs.hpp"

namespace posenc::app {

/// Elements in C order; `coordinate` is that of the one dimension of which several are taken, empty where there is none or where
/// there are several such.
struct Selection {
  std::vector<double> values, coordinate;
};
/// Throws UsageError in one line where the variable, a dimension or a coordinate is not there; coordinates match to 1e-12.
Selection select(const KeptRun& run, const Operand& operand);

/// The number of ours that a published number is compared with. Throws UsageError as select does, and where the elements are not
/// what the reduction takes.
double our_number(const PublishedNumber& number, const PublishedRuns& runs);

}  // namespace posenc::app
