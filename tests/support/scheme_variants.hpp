#pragma once
// tests: the cases of tests/data/scheme_variants.json (tools/reference/scheme_variants.py, from the definitions in 40 digits).
#include "support/scheme_cases.hpp"

namespace posenc::test {

/// The only case of that name.
inline nlohmann::json scheme_variant(const std::string& name) {
  std::ifstream in(POSENC_TEST_DATA "/scheme_variants.json");
  for (const auto& c : nlohmann::json::parse(in))
    if (c.at("scheme") == name) return c;
  FAIL("no case " << name);
  return {};
}

/// A loader with inputs of the case under their own names.
inline MemoryLoader inputs(const nlohmann::json& c, const std::vector<std::string>& names) {
  MemoryLoader loader;
  for (const std::string& name : names) loader.add(name, c.at("inputs").at(name));
  return loader;
}

/// logit - scaled content product.
inline model::Matrix added(const model::Encoding& e, model::Index head, const model::Content& x) {
  return model::logits(e, head, x) - e.logit_scale * x.q() * x.k().transpose();
}

/// Of small sums of numbers of order 1.
inline constexpr double tolerance = 1e-12;

}  // namespace posenc::test
