#include "app/published/verdict.hpp"

#include "app/published/selection.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <array>
#include <cmath>
#include <limits>

namespace posenc::app {
namespace {

bool is_met(const PublishedNumber& n, double ours) {
  if (std::isnan(n.low)) return std::isnan(ours);
  return ours >= n.low && ours <= n.high;
}

}  // namespace

Judged judge(const PublishedNumber& n, const PublishedRuns& runs, const TruthTable* truth) {
  double ours;
  try {
    if (n.reduce == Reduce::spearman && !truth) throw UsageError("a rank correlation needs the file's [truth]");
    ours = n.reduce == Reduce::spearman ? spearman(*truth, n) : our_number(n, runs);
  } catch (const UsageError& e) {
    return {std::numeric_limits<double>::quiet_NaN(), Verdict::failed, e.what(), ""};
  }
  const bool met = is_met(n, ours);
  if (!n.unmet.empty() && met) return {ours, Verdict::failed, "met, although the list says: " + n.unmet, ""};
  if (!n.unmet.empty()) return {ours, Verdict::differs, n.unmet, ""};
  if (met) return {ours, Verdict::met, "", ""};
  return {ours, Verdict::failed, std::isnan(n.value) ? "outside" : fmt::format("off by {:.3g}", ours - n.value), ""};
}

std::string_view word_of(Verdict v) { return v == Verdict::met ? "met" : v == Verdict::differs ? "differs" : "failed"; }
std::string_view word_of(NumberClass k) {
  constexpr std::array<std::string_view, 4> words{"exact", "published", "seed", "solver"};
  return words[static_cast<std::size_t>(k)];
}

std::vector<JudgedPaper> reproduce(const std::vector<PublishedPaper>& papers, io::OutputFile* file, const Globals& globals) {
  PublishedRuns runs;
  for (const PublishedPaper& p : papers) {
    for (const PublishedNumber& n : p.numbers) {
      if (n.reduce == Reduce::spearman) continue;
      runs.need(n.ours);
      if (n.against) runs.need(*n.against);
    }
    if (p.truth) need_truth(*p.truth, runs);
  }
  runs.compute(file, globals);
  std::vector<JudgedPaper> out;
  for (const PublishedPaper& p : papers) {
    JudgedPaper& one = out.emplace_back(JudgedPaper{p, {}, {}});
    if (p.truth) one.truth = truth_table(*p.truth, runs);
    for (const PublishedNumber& n : p.numbers) {
      one.judged.push_back(judge(n, runs, one.truth ? &*one.truth : nullptr));
      if (n.reduce != Reduce::spearman) one.judged.back().path = runs.of(n.ours).path;
    }
  }
  return out;
}

}  // namespace posenc::app
