#pragma once
// app: from a scheme's name and values as text to a resolved encoding under a request.
#include "model/analysis.hpp"

namespace posenc::app {

struct Entry {
  model::EncodingSpec spec;
  std::shared_ptr<model::Scheme> scheme;  // resolved

  model::Subject subject(const model::Request& request) const { return {spec.label, scheme, request}; }
};

/// A scheme with the values of `spec` set, not resolved. Throws UsageError for an unknown scheme or key, with the nearest
/// name, and for a refused value.
std::shared_ptr<model::Scheme> make_scheme(const model::EncodingSpec& spec);

/// Made, set and resolved. Throws UsageError, or Error for a file that a value names.
Entry resolve(const model::EncodingSpec& spec, const model::Request& request, const model::TableLoader& tables);

}  // namespace posenc::app
