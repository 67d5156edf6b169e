#include "app/execute.hpp"

#include "app/admit.hpp"
#include "app/collecting_sink.hpp"
#include "app/dry_run.hpp"
#include "app/finite_arrays.hpp"
#include "app/progress.hpp"
#include "app/provenance.hpp"
#include "app/report.hpp"
#include "app/sizes.hpp"
#include "app/summary.hpp"
#include "io/atomic_file.hpp"
#include "io/output_file.hpp"
#include "io/standard_stream.hpp"
#include "math/parallel.hpp"

#include <fmt/format.h>
#include <chrono>

namespace posenc::app {
namespace {

using clock = std::chrono::steady_clock;

std::vector<std::vector<Schema>> schemas_of(const Work& work) {
  std::vector<std::vector<Schema>> out;
  for (const auto& analysis : work.analyses) {
    auto& row = out.emplace_back();
    for (const auto& entry : work.entries) row.push_back(group_schema(work, entry, *analysis));
  }
  return out;
}

/// Before anything is computed.
void check_output(const OutputChoice& output) {
  if (output.output == "-") io::refuse_terminal();
  if (!output.output.empty() && output.output != "-") io::check_target(output.output, output.force);
}

void compute_groups(const Work& work, const std::vector<std::vector<Schema>>& schemas, io::OutputFile* file, Summary& summary,
                    const Globals& globals) {
  double bytes = 0;
  for (const auto& row : schemas)
    for (const auto& s : row) bytes += data_bytes(s);
  Progress progress(globals, work.analyses.size() * work.entries.size(), bytes);
  for (std::size_t a = 0; a < work.analyses.size(); ++a)
    for (std::size_t e = 0; e < work.entries.size(); ++e) {
      throw_if_stop_requested();
      const std::string path = group_path(*work.analyses[a], work.entries[e]);
      progress.begin(path);
      const auto started = clock::now();
      std::unique_ptr<Sink> next = file ? file->group(path, schemas[a][e]) : nullptr;
      if (work.analyses[a]->info().name == "encodings") next = finite_sink(work.entries[e], schemas[a][e], std::move(next));
      const auto sink = collecting_sink(summary, a, e, schemas[a][e], progress_sink(progress, std::move(next)));
      work.analyses[a]->run(work.subject(work.entries[e]), *sink);
      if (globals.verbose)
        fmt::print(stderr, "{}: {:.3f} s\n", path, std::chrono::duration<double>(clock::now() - started).count());
    }
}

}  // namespace

Exit execute(const Work& work, const OutputChoice& output, const Globals& globals) {
  const auto schemas = schemas_of(work);
  Summary summary(work, schemas);
  if (output.dry_run) {
    print_dry_run(work, schemas, summary, output, globals);
    return Exit::ok;
  }
  check_output(output);
  admit(work, schemas, output);
  for (const Entry& entry : work.entries) refuse_infinite_arrays(entry, work.request);
  if (!globals.quiet)
    for (const auto& note : work.notes) fmt::print(stderr, "{}\n", note);
  if (output.output.empty()) {
    compute_groups(work, schemas, nullptr, summary, globals);
  } else {
    io::OutputFile file(output.output, {output.force, static_cast<int>(output.deflate), math::threads()});
    for (const auto& attribute : root_attributes(work, output, globals)) file.attribute(attribute);
    compute_groups(work, schemas, &file, summary, globals);
    summary.write(*file.group("/summary", summary.schema()));
    file.commit();
  }
  print_report(summary, output, globals);
  return Exit::ok;
}

}  // namespace posenc::app
