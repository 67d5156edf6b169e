#include "schemes/estimates.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::schemes {

using model::Observation;

namespace {

constexpr double loose = 1e-3;
// Frequencies kept in half precision are off together, by more than their scatter tells: round numbers reach further.
constexpr double half_precision = 1e-5, half_off = 1.5e-3;  // relative, of a base

double rounded(double x, int digits) {
  const double unit = std::pow(10, std::floor(std::log10(std::abs(x))) - digits + 1);
  return std::round(x / unit) * unit;
}

std::vector<std::string> texts(double x, double off, std::initializer_list<double> candidates) {
  std::vector<std::string> out;
  for (const double c : candidates)
    if (c > 0 && std::abs(c - x) <= std::max(loose, 4 * off) * std::abs(x)) {
      const std::string word = plain_text(c);
      if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
    }
  return out;
}

/// The weighted line ln theta = a - 2j/d ln base, uncertainties at least `least` relative; its scatter, and that over the
/// expected.
std::optional<Geometric> line(const Observation& seen, std::size_t first, std::size_t last, bool from_one, double least,
                              double& scatter, double& spread) {
  const double d = 2 * static_cast<double>(seen.frequency.size()), count = static_cast<double>(last - first + 1);
  const auto x = [&](std::size_t j) { return -2 * static_cast<double>(j) / d; };
  const auto weight = [&](std::size_t j) {
    const double off = std::max(seen.uncertainty[j] / seen.frequency[j], least);
    return 1 / (off * off);
  };
  double w = 0, wx = 0, wy = 0, wxx = 0, wxy = 0;
  for (std::size_t j = first; j <= last; ++j) {
    const double y = std::log(seen.frequency[j]), k = weight(j);
    w += k, wx += k * x(j), wy += k * y, wxx += k * x(j) * x(j), wxy += k * x(j) * y;
  }
  const double determinant = from_one ? wxx : w * wxx - wx * wx;
  if (!(determinant > 0)) return {};
  const double slope = from_one ? wxy / wxx : (w * wxy - wx * wy) / determinant;
  const double constant = from_one ? 0 : (wy - slope * wx) / w;
  double chi = 0, squares = 0;
  for (std::size_t j = first; j <= last; ++j) {
    const double off = std::log(seen.frequency[j]) - constant - slope * x(j);
    chi += weight(j) * off * off, squares += off * off;
  }
  scatter = std::sqrt(squares / count), spread = std::sqrt(std::max(1.0, chi / count));
  return Geometric{std::exp(constant), std::exp(slope), from_one ? 0 : spread * std::sqrt(wxx / determinant),
                   spread * std::sqrt(from_one ? 1 / wxx : w / determinant)};
}

}  // namespace

std::string plain_text(double x) { return x == std::round(x) && x < 1e15 ? fmt::format("{:.0f}", x) : number_text(x); }

std::optional<Geometric> geometric_fit(const Observation& seen, std::size_t first, std::size_t last, bool from_one) {
  if (last >= seen.frequency.size() || last < first + (from_one ? 0 : 1) || last == 0) return {};
  for (std::size_t j = first; j <= last; ++j)
    if (!(seen.frequency[j] > 0)) return {};
  double scatter = 0, spread = 1;
  std::optional<Geometric> out = line(seen, first, last, from_one, 1e-16, scatter, spread);
  // Frequencies that were rounded are off by more than their columns are: all pairs then count alike.
  if (out && spread > 3) out = line(seen, first, last, from_one, scatter, scatter, spread);
  return out && out->base > 1 && std::isfinite(out->base) ? out : std::nullopt;
}

std::vector<std::string> near(double x, double off) {
  if (!(x > 0) || !std::isfinite(x)) return {};
  const double far = off > half_precision ? std::max(2 * off, half_off) : off;
  std::vector<std::string> out = texts(x, far, {rounded(x, 1), rounded(x, 2)});
  const auto add = [&](const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(word);
  };
  add(texts(x, off, {rounded(x, 3), rounded(x, 4), std::round(x), x}));
  if (off > half_precision)
    for (const double usual : usual_bases()) add(texts(x, far, {usual}));
  return out;
}

std::vector<std::string> near_base(double x, double off) {
  std::vector<std::string> out = near(x, off);
  std::erase_if(out, [](const std::string& word) { return !(parse_number("base", word) > 1); });
  return out;
}

std::vector<std::string> near_factor(double x, double off) {
  return texts(x, off, {std::round(x), std::round(2 * x) / 2, rounded(x, 3), x});
}

std::optional<double> whole_factor(double x, double off) {
  const double reach = std::max(1e-9, 4 * off) * x;
  const double step = x <= 16 ? 0.5 : 1, nearest = std::round(x / step) * step;
  if (!(x < 1024.5) || nearest <= 1 || std::abs(nearest - x) > reach || reach > 0.02 * step) return {};
  return nearest;
}

const std::vector<double>& usual_bases() {
  static const std::vector<double> all{1e4, 1e5, 1.5e5, 1.6e5, 5e5, 1e6, 1.5e6, 2e6, 3e6,  4e6, 5e6,
                                       7e6, 8e6, 1e7,   5e7,   1e8, 1e9, 100,   500, 1000, 5e4};
  return all;
}

const std::vector<double>& usual_lengths() {
  static const std::vector<double> all = [] {
    std::vector<double> out;
    for (int n = 256; n <= 1 << 20; n *= 2) {
      out.push_back(n);
      if (n >= 1024) out.push_back(n / 1024 * 1000);
    }
    return out;
  }();
  return all;
}

std::vector<std::pair<double, double>> stretched_bases(const Observation& seen) {
  std::vector<std::pair<double, double>> out;
  const std::size_t pairs = seen.frequency.size();
  if (pairs < 2) return out;
  const auto g = geometric_fit(seen, 0, pairs - 1, true);
  if (!g || std::abs(rounded(g->base, 3) - g->base) <= std::max(1e-12, 4 * g->base_off) * g->base) return out;
  const double d = 2 * static_cast<double>(pairs);
  for (const double base : usual_bases())
    if (g->base > base)
      if (const auto factor = whole_factor(std::pow(g->base / base, (d - 2) / d), g->base_off)) out.emplace_back(base, *factor);
  return out;
}

double distance(const Observation& seen, const std::vector<double>& thetas) {
  if (thetas.size() != seen.frequency.size() || thetas.empty()) return 1;
  double sum = 0;
  for (std::size_t j = 0; j < thetas.size(); ++j) {
    const double largest = std::max(std::abs(thetas[j]), seen.frequency[j]);
    const double gap = std::abs(thetas[j] - seen.frequency[j]) - seen.uncertainty[j];
    if (gap > 0 && largest > 0) sum += std::min(0.1, gap / largest);
  }
  return sum / static_cast<double>(thetas.size());
}

std::vector<double> plain(const Observation& seen, double base) {
  std::vector<double> out;
  const auto pairs = static_cast<double>(seen.frequency.size());
  for (std::size_t j = 0; j < seen.frequency.size(); ++j) out.push_back(std::pow(base, -static_cast<double>(j) / pairs));
  return out;
}

std::optional<std::size_t> turning_pairs(const Observation& seen) {
  std::size_t n = 0;
  while (n < seen.frequency.size() && seen.frequency[n] > 0) ++n;
  for (std::size_t j = n; j < seen.frequency.size(); ++j)
    if (seen.frequency[j] != 0) return {};
  return n;
}

Observation leading(const Observation& seen, std::size_t pairs) {
  Observation out = seen;
  out.frequency.resize(pairs), out.uncertainty.resize(pairs);
  return out;
}

std::string share_word(std::size_t part, std::size_t whole) {
  for (double unit = 10;; unit *= 10) {
    const double share = std::ceil(static_cast<double>(part) / static_cast<double>(whole) * unit - 1e-9) / unit;
    if (static_cast<std::size_t>(share * static_cast<double>(2 * whole) / 2) == part) return number_text(share);
  }
}

Values join_values(Values front, const Values& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

model::Proposal rotary_proposal(const char* scheme, const Observation& seen, Values values, std::string note) {
  model::Proposal out{{scheme, {}, {{"dim", std::to_string(2 * seen.frequency.size())}}}, 0, std::move(note)};
  out.spec.values.insert(out.spec.values.end(), values.begin(), values.end());
  return out;
}

model::Proposal plainest(const char* scheme, const Observation& seen, Values values) {
  values.insert(values.begin(), {"dim", std::to_string(2 * seen.pairs)});
  return {{scheme, {}, std::move(values)}};
}

std::string exponent_note(const Geometric& g, std::size_t pairs) {
  const double d = 2 * static_cast<double>(pairs), reach = std::clamp(4 * g.base_off, 1e-9, 1e-3);
  for (const double usual : {1e4, 5e5, 1e6}) {
    const auto is = [&](double base) { return std::abs(base - g.base) <= reach * g.base; };
    if (is(std::sqrt(usual))) return fmt::format("as base {} with the exponent i/d for 2i/d", number_text(usual));
    if (pairs > 1 && is(std::pow(usual, d / (d - 2))))
      return fmt::format("as base {} with the exponent 2i/(d-2) for 2i/d", number_text(usual));
  }
  return {};
}

Values attention_factor_value(const Observation& seen, double expected) {
  if (!seen.amplitude) return {};
  const double a = *seen.amplitude, off = std::max(seen.amplitude_uncertainty, 1e-12);
  if (std::abs(a - expected) <= 4 * off * expected) return {};
  for (const int digits : {1, 2, 3, 4, 5, 6})
    if (const double round = rounded(a, digits); std::abs(round - a) <= 4 * off * a)
      return {{"attention-factor", number_text(round)}};
  return {{"attention-factor", number_text(a)}};
}

}  // namespace posenc::schemes
