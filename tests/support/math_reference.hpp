#pragma once
// tests: the numbers of tools/reference/make_math_reference.py, and what the tests of math share.
#include "math/parallel.hpp"
#include "math/real.hpp"

#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace posenc::test {

inline const nlohmann::json& math_reference(const char* name) {
  static const nlohmann::json all = [] {
    std::ifstream file(POSENC_TEST_DATA "/math_reference.json");
    return nlohmann::json::parse(file);
  }();
  return all.at(name);
}

/// base^(-2 i / dim) radians, i = 0 .. dim / 2 - 1, as exact turns.
inline std::vector<math::Turn> geometric(double base, int dim) {
  std::vector<math::Turn> f;
  for (int i = 0; i < dim / 2; ++i)
    f.push_back(math::turn_from(math::Real(pow(math::Real(base), math::Real(-2 * i) / dim)) / math::two_pi()));
  return f;
}

/// x minus the number that [high, low] stands for.
inline double off(double x, const nlohmann::json& pair) { return (x - pair.at(0).get<double>()) - pair.at(1).get<double>(); }

inline bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0;
}

/// Runs f with 1, 2 and 3 threads and returns the three results.
template <class F>
auto at_thread_counts(F f) {
  const int before = math::threads();
  std::vector<decltype(f())> results;
  for (const int count : {1, 2, 3}) {
    math::set_threads(count);
    results.push_back(f());
  }
  math::set_threads(before);
  return results;
}

}  // namespace posenc::test
