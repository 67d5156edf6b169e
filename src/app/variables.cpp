#include "app/variables.hpp"

#include "app/subjects.hpp"
#include "core/error.hpp"
#include "schemes/registry.hpp"
#include "sources/loader.hpp"

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

/// Calls body with the options as they are, then with something in the lists that are empty and every word of each choice:
/// options that add variables.
template <class Body>
void each_setting(model::Analysis& analysis, const Body& body) {
  body();
  Fields fields = analysis.fields();
  std::vector<std::vector<double>*> filled;
  for (Field& f : fields)
    if (auto* const* list = std::get_if<std::vector<double>*>(&f.slot); list && (*list)->empty()) {
      **list = {f.range.low, 2 * f.range.low};
      filled.push_back(*list);
    }
  for (Field& f : fields)
    if (const auto* choice = std::get_if<Choice>(&f.slot)) {
      const int before = choice->get();
      for (int word = 0; word < std::ssize(choice->names); ++word) {
        choice->set(word);
        body();
      }
      choice->set(before);
    }
  for (auto* list : filled) list->clear();
}

}  // namespace

std::vector<Described> variables_of(model::Analysis& analysis) {
  const model::Request request;
  const sources::FileLoader tables;
  std::vector<Described> out;
  const auto describe = [&](std::string_view name, const Entry& entry) {
    for (const Variable& v : analysis.schema(entry.subject(request)).vars) {
      auto at = std::find_if(out.begin(), out.end(),
                             [&](const Described& d) { return d.variable.name == v.name && d.variable.dims == v.dims; });
      if (at == out.end()) at = out.insert(out.end(), {v, {}});
      if (at->schemes.empty() || at->schemes.back() != name) at->schemes.emplace_back(name);
    }
  };
  for (const auto name : schemes::registry().names())
    if (const auto entry = default_entry(name, request, tables)) each_setting(analysis, [&] { describe(name, *entry); });
  return out;
}

}  // namespace posenc::app
