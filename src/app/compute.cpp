#include "app/compute.hpp"

#include "app/encodings.hpp"
#include "app/execute.hpp"
#include "app/tables.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {

ComputeCommand::ComputeCommand(const std::vector<std::string_view>& analyses) {
  for (const auto name : analyses) analyses_.push_back(fresh_analysis(name));
}

std::vector<Argument> ComputeCommand::arguments() {
  return {{"ENCODING",
           "NAME[:key=value,...], @PRESET[:...], a model's file or a table's [:...], `all`, or `standard` (the default); "
           "label=WORD names it in the output; as=hf|vllm|llama.cpp is the tool that a config.json is read as",
           0, 4096, &words_}};
}

std::vector<OptionGroup> ComputeCommand::options() {
  const std::string owner(info().name);
  Fields request = request_.fields();
  if (!is_run()) std::erase_if(request, [](const Field& f) { return f.name == "tables"; });
  std::vector<OptionGroup> out{{"Output", owner, output_.fields()},
                               {"Lengths and seeds", owner, std::move(request)},
                               {"Fields of every encoding", owner, overrides_.fields()}};
  for (const auto& a : analyses_) {
    Fields own = a->fields();
    if (!own.empty()) out.push_back({fmt::format("Analysis {}", a->info().name), std::string(a->info().name), std::move(own)});
  }
  return out;
}

Work ComputeCommand::prepare() {
  check_positions(info().name, request_);
  const Tables tables;
  const Expanded expanded = expand(words_.empty() ? std::vector<std::string>{"standard"} : words_, overrides_);
  Work work{std::string(info().name), request_, {}, {}, expanded.notes};
  for (const auto& a : analyses_) a->open(tables);
  for (const auto& a : analyses_)
    if (request_.tables || a->info().name != "encodings") work.analyses.push_back(a);
  for (std::size_t i = 0; i < expanded.specs.size(); ++i) {
    const auto& spec = expanded.specs[i];
    try {
      work.entries.push_back(resolve(spec, request_, tables));
    } catch (const UsageError& e) {
      if (!expanded.of_all[i]) throw;
      work.notes.push_back(fmt::format("note: {} is left out of all: {}", spec.label, e.what()));
      continue;
    }
    const auto trained = work.entries.back().scheme->train_length();
    if (trained != request_.length)
      work.notes.push_back(fmt::format("note: {}: training length {}, computed to {}", spec.label, trained, request_.length));
  }
  return work;
}

Exit ComputeCommand::run(const Globals& globals) {
  if (needs_output() && output_.output.empty() && !output_.dry_run)
    throw UsageError(fmt::format("{}: output: must name a file (-o OUT.h5)", info().name));
  return execute(prepare(), output_, globals);
}

}  // namespace posenc::app
