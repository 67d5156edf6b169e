#include "app/published/runs.hpp"

#include "app/encodings.hpp"
#include "app/labels.hpp"
#include "app/passing_sink.hpp"
#include "app/progress.hpp"
#include "app/tables.hpp"
#include "app/work.hpp"
#include "core/error.hpp"
#include "io/output_file.hpp"

#include <fmt/format.h>

namespace posenc::app {
namespace {

/// Keeps some variables while everything passes on.
class KeepingSink : public PassingSink {
 public:
  KeepingSink(KeptRun& kept, const std::set<std::string>& wanted, std::unique_ptr<Sink> next)
      : PassingSink(std::move(next)), kept_(kept), wanted_(wanted) {}

  void write(std::string_view variable, std::uint64_t first_row, std::span<const double> rows) override {
    keep(variable, rows);
    PassingSink::write(variable, first_row, rows);
  }
  void write_elements(std::string_view variable, std::uint64_t first_element, std::span<const double> values) override {
    keep(variable, values);
    PassingSink::write_elements(variable, first_element, values);
  }
  void write_text(std::string_view variable, std::uint64_t first_row, std::span<const std::string> rows) override {
    if (wanted_.count(std::string(variable))) {
      auto& all = kept_.words[std::string(variable)];
      all.insert(all.end(), rows.begin(), rows.end());
    }
    PassingSink::write_text(variable, first_row, rows);
  }
  void attribute(std::string_view variable, const Attribute& value) override {
    if (variable.empty()) kept_.attributes.push_back(value);
    PassingSink::attribute(variable, value);
  }

 private:
  void keep(std::string_view variable, std::span<const double> values) {
    if (!wanted_.count(std::string(variable))) return;
    auto& all = kept_.numbers[std::string(variable)];
    all.insert(all.end(), values.begin(), values.end());
  }
  KeptRun& kept_;
  const std::set<std::string>& wanted_;
};

/// Options go to the request, or to the analysis.
Work work_of(const Operand& o, const std::string& label, const model::TableLoader& tables) {
  Work work;
  work.command = "reproduce";
  work.analyses.push_back(fresh_analysis(o.analysis));
  Fields request = work.request.fields(), own = work.analyses.front()->fields();
  for (const auto& [name, value] : o.options) {
    Field* common = find(request, name);
    Field* field = common ? common : find(own, name);
    if (!field) throw UsageError(fmt::format("{}: no option '{}'", o.analysis, name));
    set(o.analysis, *field, value);
  }
  Overrides none;
  Expanded expanded = expand({o.encoding}, none);
  if (expanded.specs.size() != 1) throw UsageError(fmt::format("{}: must be one encoding", o.encoding));
  expanded.specs.front().label = label;
  work.entries.push_back(resolve(expanded.specs.front(), work.request, tables));
  return work;
}

}  // namespace

std::string PublishedRuns::key(const Operand& o) {
  std::string out = o.analysis + "\n" + o.encoding;
  for (const auto& [name, value] : o.options) out += "\n" + name + "=" + value;
  return out;
}

void PublishedRuns::need(const Operand& operand) {
  const auto [at, is_new] = index_.emplace(key(operand), runs_.size());
  if (is_new) runs_.push_back({operand, {}, {}});
  if (!operand.attribute) runs_[at->second].variables.insert(operand.variable);
}

const KeptRun& PublishedRuns::of(const Operand& operand) const { return runs_[index_.at(key(operand))].kept; }

void PublishedRuns::compute(io::OutputFile* file, const Globals& globals) {
  const Tables tables;
  std::vector<LabelWish> wishes;
  for (const Run& run : runs_) wishes.push_back({run.wanted.encoding, false});
  const std::vector<std::string> labels = assign_labels(wishes);
  Progress progress(globals, runs_.size(), 0);
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    Run& run = runs_[i];
    Work work;
    try {
      work = work_of(run.wanted, labels[i], tables);
      run.kept.schema = group_schema(work, work.entries.front(), *work.analyses.front());
    } catch (const Error& e) {
      if (e.code() != Exit::usage && e.code() != Exit::bad_data && e.code() != Exit::no_input) throw;
      run.kept.failure = e.what();
      continue;
    }
    for (const std::string& name : std::set<std::string>(run.variables))
      if (const Variable* v = run.kept.schema.variable(name)) run.variables.insert(v->dims.begin(), v->dims.end());
    run.kept.path = group_path(*work.analyses.front(), work.entries.front());
    run.kept.attributes = run.kept.schema.attributes;
    progress.begin(run.kept.path);
    KeepingSink sink(run.kept, run.variables,
                     progress_sink(progress, file ? file->group(run.kept.path, run.kept.schema) : nullptr));
    work.analyses.front()->run(work.subject(work.entries.front()), sink);
  }
}

}  // namespace posenc::app
