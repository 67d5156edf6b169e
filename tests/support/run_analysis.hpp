#pragma once
// tests: one analysis of one encoding, given as a user would, with its output in memory.
#include "analyses/registry.hpp"
#include "core/error.hpp"
#include "schemes/registry.hpp"
#include "support/memory_sink.hpp"
#include "support/npy_loader.hpp"

#include <algorithm>
#include <set>

namespace posenc::test {

/// Name and text of a value: {{"length", "64"}, {"dim", "32"}}.
using Options = std::vector<std::pair<std::string, std::string>>;

/// NAME[:key=value[,key=value...]]
inline model::EncodingSpec parse_encoding(const std::string& text) {
  model::EncodingSpec spec;
  const auto colon = text.find(':');
  spec.scheme = text.substr(0, colon);
  std::stringstream rest(colon == std::string::npos ? "" : text.substr(colon + 1));
  for (std::string item; std::getline(rest, item, ',');) {
    const auto equals = item.find('=');
    if (equals == std::string::npos) throw UsageError(fmt::format("{}: {}: must be key=value", spec.scheme, item));
    if (item.substr(0, equals) == "label")
      spec.label = item.substr(equals + 1);
    else
      spec.values.emplace_back(item.substr(0, equals), item.substr(equals + 1));
  }
  return spec;
}

/// A resolved encoding under a request. An option goes to the request's field, the analysis's (`own`, may be null) and, unless
/// the encoding sets it itself, the scheme's (dim, base, heads); one that nobody has throws UsageError.
inline model::Subject subject(const std::string& encoding, const Options& options = {}, Fields* own = nullptr) {
  static const NpyLoader loader;
  const model::EncodingSpec spec = parse_encoding(encoding);
  std::shared_ptr<model::Scheme> scheme = schemes::registry().make(spec.scheme);
  model::Subject out{spec.label.empty() ? spec.scheme : spec.label, scheme, {}};
  Fields request = out.request.fields(), fields = scheme->fields();
  std::vector<std::string_view> names;
  for (const Field& f : fields) names.push_back(f.name);
  std::set<std::string> given;
  for (const auto& [key, value] : spec.values) {
    Field* f = find(fields, key);
    if (!f) unknown("field of " + spec.scheme, key, names);
    set(spec.scheme, *f, value);
    given.insert(key);
  }
  for (const auto& [key, value] : options) {
    Field *common = find(request, key), *analysis = own ? find(*own, key) : nullptr, *of_scheme = find(fields, key);
    if (common) set("", *common, value);
    if (analysis) set("", *analysis, value);
    if (of_scheme && !given.contains(key) && !common) set(spec.scheme, *of_scheme, value);
    if (!common && !analysis && !of_scheme) throw UsageError(fmt::format("unknown option '{}'", key));
  }
  scheme->resolve({out.request.length, static_cast<std::uint64_t>(out.request.seed), &loader});
  return out;
}

/// Runs it; the sink has checked order and completeness against the schema.
inline MemorySink run(const std::string& analysis, const std::string& encoding, const Options& options = {}) {
  const std::unique_ptr<model::Analysis> a = analyses::registry().make(analysis);
  Fields own = a->fields();
  const model::Subject s = subject(encoding, options, &own);
  a->open(NpyLoader());
  MemorySink sink(a->schema(s));
  a->run(s, sink);
  sink.complete();
  return sink;
}

}  // namespace posenc::test
