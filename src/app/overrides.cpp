#include "app/overrides.hpp"

#include "app/idle_keys.hpp"
#include "core/error.hpp"
#include "schemes/registry.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {

Fields Overrides::fields() {
  return {
      {"dim", "channel", "dim of every encoding that has it and does not set it itself", &dim, at_least(1), "each scheme's own"},
      {"base", "1", "base of every encoding that has it and does not set it itself", &base, above(0), "each scheme's own"},
      {"heads", "head", "heads of every encoding that has it and does not set it itself", &heads, at_least(1),
       "each scheme's own"},
  };
}

std::vector<std::string> apply(Overrides& overrides, std::vector<model::EncodingSpec>& specs) {
  std::vector<std::string> idle;
  for (const Field& f : overrides.fields()) {
    const std::string value = text(f);
    if (value.empty()) continue;
    bool known = false, used = false;
    for (auto& spec : specs) {
      Fields own = schemes::registry().make(spec.scheme)->fields();
      if (!find(own, f.name)) continue;
      known = true;
      if (std::any_of(spec.values.begin(), spec.values.end(), [&](const auto& v) { return v.first == f.name; })) continue;
      model::EncodingSpec with = spec;
      with.values.emplace_back(f.name, value);
      if (!idle_reason(with, f.name).empty()) continue;
      spec = std::move(with);
      used = true;
    }
    if (!known) throw UsageError(fmt::format("--{} = {}: no encoding has a field of that name", f.name, value));
    if (!used) idle.emplace_back(f.name);
  }
  return idle;
}

}  // namespace posenc::app
