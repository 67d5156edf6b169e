#pragma once
// app: ours beside theirs.
#include "app/published/runs.hpp"
#include "app/published/truth.hpp"

namespace posenc::app {

/// differs: the published number cannot be met, and the list says why. failed: it should be met and is not, could not be
/// computed, or is met although the list says that it cannot be.
enum class Verdict { met, differs, failed };

struct Judged {
  double ours = 0;  // NaN where it could not be computed
  Verdict verdict = Verdict::failed;
  std::string reason;  // empty where met
  std::string path;    // group of the run it was taken from
};

/// `truth` is that of the paper, null where it has none.
Judged judge(const PublishedNumber& number, const PublishedRuns& runs, const TruthTable* truth);

std::string_view word_of(Verdict verdict);
std::string_view word_of(NumberClass kind);

/// A paper with what came of each of its numbers, in their order.
struct JudgedPaper {
  PublishedPaper paper;
  std::optional<TruthTable> truth;
  std::vector<Judged> judged;
};

/// Runs all that the papers need, into `file` too where it is given.
std::vector<JudgedPaper> reproduce(const std::vector<PublishedPaper>& papers, io::OutputFile* file, const Globals& globals);

}  // namespace posenc::app
