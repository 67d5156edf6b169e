#pragma once
// app: what reproduce prints and writes.
#include "app/published/verdict.hpp"

namespace posenc::app {

struct Tally {
  std::size_t met = 0, differs = 0, failed = 0;
  std::size_t all() const { return met + differs + failed; }
};
Tally tally(const std::vector<JudgedPaper>& papers);

/// A table a paper: number, published, ours, tolerance, verdict; then the sums.
std::string reproduction_text(const std::vector<JudgedPaper>& papers, bool quiet);
/// The same with everything that the list says, as one JSON object.
std::string reproduction_json(const std::vector<JudgedPaper>& papers, const std::string& output);
/// The main numbers as one table in Markdown.
std::string reproduction_markdown(const std::vector<JudgedPaper>& papers);
/// One group a paper, /published/<name>: name, published, ours, low, high, verdict, reason, source, note by result.
void write_reproduction(const std::vector<JudgedPaper>& papers, io::OutputFile& file);

}  // namespace posenc::app
