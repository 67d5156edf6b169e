#pragma once
// app: what one invocation computes, resolved: every default filled in, nothing of the user's text left.
#include "app/subjects.hpp"
#include "model/analysis.hpp"

namespace posenc::app {

struct Work {
  std::string command;  // the user's word
  model::Request request;
  std::vector<Entry> entries;
  std::vector<std::shared_ptr<model::Analysis>> analyses;  // options set
  std::vector<std::string> notes;                          // for stderr, before anything is computed

  model::Subject subject(const Entry& entry) const { return entry.subject(request); }
};

/// Throws UsageError where the last position is beyond 2^53, from where on float64 does not tell positions apart.
void check_positions(std::string_view owner, const model::Request& request);

/// The request with its derived defaults filled in.
model::Request resolved(model::Request request);

/// A new analysis with default options. Throws UsageError for an unknown name.
std::shared_ptr<model::Analysis> fresh_analysis(std::string_view name);

/// "/<analysis>/<label>".
std::string group_path(const model::Analysis& analysis, const Entry& entry);

/// The fields of the resolved scheme but for those without effect beside the others: no base where a file gives the frequencies.
Fields effective_fields(const Entry& entry);

/// The schema with the group's attributes before its own: encoding, scheme, its effective fields, train_length, the
/// request and the analysis's options. '-' in names becomes '_'.
Schema group_schema(const Work& work, const Entry& entry, model::Analysis& analysis);

}  // namespace posenc::app
