#pragma once
// tests: tables opened by the loader of sources.
#include "sources/loader.hpp"
#include "sources/thrown.hpp"

#include <string>
#include <vector>

namespace posenc::test {

/// Every element, as float64.
inline std::vector<double> all_of(const std::string& file) {
  const auto t = sources::FileLoader().open(file);
  std::vector<double> out(static_cast<std::size_t>(t->size()));
  t->read(0, out);
  return out;
}
/// What opening it throws, as "code: message".
inline std::string opening(const std::string& file) {
  return thrown([&] { sources::FileLoader().open(file); });
}

}  // namespace posenc::test
