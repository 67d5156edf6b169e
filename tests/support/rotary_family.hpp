#pragma once
// tests: the numbers of tools/reference/rotary_family.py.
#include "support/scheme_cases.hpp"

#include <random>

namespace posenc::test {

inline nlohmann::json rotary_family(const std::string& name) {
  std::ifstream in(POSENC_TEST_DATA "/rotary_family.json");
  return nlohmann::json::parse(in).at(name);
}
/// Content of its q and k.
inline model::Content family_content(const nlohmann::json& c) { return content(matrix(c["q"]), matrix(c["k"])); }

inline const model::Rotary& rotary_of(const model::Encoding& e) { return std::get<model::Rotary>(e.terms.at(0)); }

/// Standard normal numbers.
inline model::Matrix random_matrix(std::mt19937& random, model::Index rows, model::Index columns) {
  std::normal_distribution<double> normal;
  model::Matrix out(rows, columns);
  for (model::Index i = 0; i < out.size(); ++i) out.data()[i] = normal(random);
  return out;
}

}  // namespace posenc::test
