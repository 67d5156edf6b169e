#include "app/variables.hpp"

#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "core/error.hpp"
#include "schemes/registry.hpp"

#include <algorithm>

namespace posenc::app {
namespace {

/// The scheme with its defaults, or nothing where it needs a value.
std::optional<Entry> default_entry(std::string_view scheme, const model::Request& request, const model::TableLoader& tables) {
  try {
    return resolve({std::string(scheme), std::string(scheme), {}}, request, tables);
  } catch (const UsageError&) {
    return {};
  }
}

}  // namespace

std::vector<Described> variables_of(const model::Analysis& analysis) {
  const model::Request request;
  const Tables tables;
  std::vector<Described> out;
  for (const auto name : schemes::registry().names()) {
    const auto entry = default_entry(name, request, tables);
    if (!entry) continue;
    for (const Variable& v : analysis.schema(entry->subject(request)).vars) {
      auto at = std::find_if(out.begin(), out.end(),
                             [&](const Described& d) { return d.variable.name == v.name && d.variable.dims == v.dims; });
      if (at == out.end()) at = out.insert(out.end(), {v, {}});
      at->schemes.emplace_back(name);
    }
  }
  return out;
}

}  // namespace posenc::app
