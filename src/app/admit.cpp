#include "app/admit.hpp"

#include "app/sizes.hpp"
#include "app/table.hpp"
#include "core/error.hpp"

#include <fmt/format.h>

namespace posenc::app {

void admit(const Work& work, const std::vector<std::vector<Schema>>& schemas, const OutputChoice& output) {
  const auto memory = available_memory();
  double total = 0;
  for (std::size_t a = 0; a < schemas.size(); ++a)
    for (std::size_t e = 0; e < schemas[a].size(); ++e) {
      total += data_bytes(schemas[a][e]);
      const double needed = held_bytes(schemas[a][e], work.subject(work.entries[e]), work.analyses[a]->info().name);
      if (memory && needed > *memory)
        throw UsageError(fmt::format("{}: length = {}: {} needs {} of memory, {} are available", work.command,
                                     work.request.length, group_path(*work.analyses[a], work.entries[e]), readable_bytes(needed),
                                     readable_bytes(*memory)));
    }
  const auto free = free_bytes(output.output);
  if (output.output == "-" && memory && total > *memory)
    throw UsageError(fmt::format("{}: length = {}: the file takes {} of memory before it goes to stdout, {} are available",
                                 work.command, work.request.length, readable_bytes(total), readable_bytes(*memory)));
  if (free && total > *free)
    throw Error(Exit::cannot_create, fmt::format("cannot write '{}': the data take {}, {} are free; nothing was written",
                                                 output.output, readable_bytes(total), readable_bytes(*free)));
}

}  // namespace posenc::app
