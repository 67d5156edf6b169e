#include "schemes/estimates.hpp"

#include <algorithm>
#include <cmath>

namespace posenc::schemes {
namespace {

/// Rounded to so many significant digits.
double rounded(double x, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - digits + 1);
  return std::round(x / unit) * unit;
}

std::vector<std::string> texts(double x, std::initializer_list<double> near) {
  std::vector<std::string> out;
  for (const double candidate : near)
    if (std::abs(candidate - x) <= 1e-3 * std::abs(x)) {
      const std::string word = number_text(candidate);
      if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
    }
  return out;
}

}  // namespace

std::vector<std::string> bases(const model::Observation& seen, std::size_t first, std::size_t last) {
  if (last <= first || last >= seen.frequency.size()) return {};
  const double ratio = seen.frequency[last] / seen.frequency[first];
  if (!(ratio > 0 && ratio < 1)) return {};
  const double pairs = static_cast<double>(seen.frequency.size());
  const double base = std::exp(-std::log(ratio) * pairs / static_cast<double>(last - first));
  return texts(base, {rounded(base, 1), rounded(base, 2), rounded(base, 3), std::round(base), base});
}

std::vector<std::string> factors(double x) {
  if (!(x > 0)) return {};
  return texts(1 / x, {std::round(1 / x), std::round(2 / x) / 2, 1 / x});
}

const std::vector<std::string>& usual_lengths() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (std::int64_t n = 256; n <= 1 << 20; n *= 2) {
      out.push_back(std::to_string(n));
      if (n >= 1024) out.push_back(std::to_string(n / 1024 * 1000));
    }
    return out;
  }();
  return all;
}

model::EncodingSpec rotary_spec(const char* scheme, const model::Observation& seen,
                                std::vector<std::pair<std::string, std::string>> values) {
  model::EncodingSpec spec{scheme, {}, {{"dim", std::to_string(2 * seen.frequency.size())}}};
  spec.values.insert(spec.values.end(), values.begin(), values.end());
  return spec;
}

std::vector<model::EncodingSpec> banded_specs(const char* scheme, const model::Observation& seen) {
  std::vector<model::EncodingSpec> out;
  if (seen.table || seen.frequency.size() < 4) return out;
  for (const std::string& base : bases(seen, 0, 1)) {
    const double d = 2 * static_cast<double>(seen.frequency.size());
    const double last = std::pow(parse_number("base", base), -(d - 2) / d);
    if (seen.frequency.back() > 0.999 * last) continue;
    for (const std::string& factor : factors(seen.frequency.back() / last))
      for (const std::string& original : usual_lengths())
        out.push_back(rotary_spec(scheme, seen, {{"base", base}, {"factor", factor}, {"original", original}}));
  }
  return out;
}

}  // namespace posenc::schemes
