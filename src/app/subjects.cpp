#include "app/subjects.hpp"

#include "core/error.hpp"
#include "schemes/registry.hpp"

#include <fmt/format.h>

namespace posenc::app {
namespace {

[[noreturn]] void unknown_key(const std::string& scheme, const std::string& key, const Fields& fields) {
  std::vector<std::string_view> names;
  for (const Field& f : fields) names.push_back(f.name);
  const auto near = nearest(key, names);
  throw UsageError(near.empty() ? fmt::format("{}: unknown key '{}': must be one of {}", scheme, key, fmt::join(names, ", "))
                                : fmt::format("{}: unknown key '{}': did you mean '{}'?", scheme, key, near));
}

}  // namespace

std::shared_ptr<model::Scheme> make_scheme(const model::EncodingSpec& spec) {
  std::shared_ptr<model::Scheme> scheme = schemes::registry().make(spec.scheme);
  Fields fields = scheme->fields();
  for (const auto& [key, value] : spec.values) {
    Field* field = find(fields, key);
    if (!field) unknown_key(spec.scheme, key, fields);
    set(spec.scheme, *field, value);
  }
  return scheme;
}

Entry resolve(const model::EncodingSpec& spec, const model::Request& request, const model::TableLoader& tables) {
  Entry out{spec, make_scheme(spec)};
  out.scheme->resolve({request.length, static_cast<std::uint64_t>(request.seed), &tables});
  return out;
}

}  // namespace posenc::app
