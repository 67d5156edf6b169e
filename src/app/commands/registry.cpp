#include "app/commands/registry.hpp"

#include "app/commands/analyse.hpp"

namespace posenc::app {

#define POSENC_COMMAND(file) std::unique_ptr<Command> make_##file();
#define POSENC_ANALYSES
#include "app/commands/commands.def"
#undef POSENC_COMMAND
#undef POSENC_ANALYSES

std::vector<std::unique_ptr<Command>> all_commands() {
  std::vector<std::unique_ptr<Command>> all;
#define POSENC_COMMAND(file) all.push_back(make_##file());
#define POSENC_ANALYSES \
  for (auto& one : analysis_commands()) all.push_back(std::move(one));
#include "app/commands/commands.def"
#undef POSENC_COMMAND
#undef POSENC_ANALYSES
  return all;
}

}  // namespace posenc::app
