#pragma once
// tests: frequencies against reference values that are doubles of a few operations.
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

namespace posenc::test {

/// 1e-14 relative, number by number.
inline void check_close(const std::vector<double>& got, const nlohmann::json& expected) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i, got[i], expected[i].get<double>());
    CHECK(std::abs(got[i] - expected[i].get<double>()) <= 1e-14 * std::abs(expected[i].get<double>()));
  }
}

}  // namespace posenc::test
