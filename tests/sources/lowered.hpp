#pragma once
// tests: an encoding as the program lowers it.
#include "core/error.hpp"
#include "model/views/traits.hpp"
#include "schemes/registry.hpp"
#include "sources/loader.hpp"

namespace posenc::test {

inline std::unique_ptr<model::Scheme> resolved(const model::EncodingSpec& spec) {
  static const sources::FileLoader loader;
  auto scheme = schemes::registry().make(spec.scheme);
  Fields fields = scheme->fields();
  for (const auto& [name, value] : spec.values) {
    Field* field = find(fields, name);
    if (!field) throw UsageError(spec.scheme + ": has no field " + name);
    set(spec.scheme, *field, value);
  }
  scheme->resolve({.tables = &loader});
  return scheme;
}

/// Rad per position of each pair; of several axes the sum, the frequency of text.
inline std::vector<double> frequencies(const model::Encoding& e) {
  const auto& r = *model::form<model::Rotary>(e);
  std::vector<double> out(r.channel.size(), 0);
  for (model::Index axis = 0; axis < r.axes; ++axis)
    for (model::Index i = 0; i < r.pairs(); ++i) out[static_cast<std::size_t>(i)] += r.at(0, axis, i).theta;
  return out;
}

}  // namespace posenc::test
