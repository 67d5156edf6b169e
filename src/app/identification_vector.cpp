#include "app/identification.hpp"
#include "app/identification_candidates.hpp"
#include "app/table.hpp"
#include "model/views/stored.hpp"
#include "schemes/estimates.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

namespace posenc::app {
namespace {

using namespace model;

constexpr std::size_t most_pairs = 8192;                      // more than any head has
constexpr double slowest_first = 1e-12, fastest_first = 1e3;  // rad per position, of the fastest pair of a head

/// What the numbers of a vector may be of the frequencies.
struct Meaning {
  std::string kind;
  std::function<double(double value, std::size_t pair)> frequency;
  std::function<double(double theta, std::size_t pair)> value;
};

std::vector<Meaning> meanings(const std::vector<double>& x) {
  const auto same = [](double v, std::size_t) { return v; };
  const auto inverse = [](double v, std::size_t) { return 1 / v; };
  const auto turns = [](double v, std::size_t) { return 2 * std::numbers::pi / v; };
  std::vector<Meaning> out;
  if (!(x.size() > 1 && x.back() > x.front())) {
    out.push_back({"frequencies", same, same});
    return out;
  }
  out.push_back({"inverses of frequencies", inverse, inverse});
  out.push_back({"wavelengths", turns, turns});
  return out;
}

/// Divisors of plain frequencies, as GGUF keeps them (rope_freqs.weight), for each usual base.
std::vector<Meaning> divisors(const std::vector<double>& x) {
  std::vector<Meaning> out;
  if (x.size() < 4 || *std::min_element(x.begin(), x.end()) < 0.5) return out;
  for (const double base : schemes::usual_bases()) {
    const auto over = [base, n = static_cast<double>(x.size())](double v, std::size_t j) {
      return std::pow(base, -static_cast<double>(j) / n) / v;
    };
    out.push_back({fmt::format("divisors of the frequencies of base {}", schemes::plain_text(base)), over, over});
  }
  return out;
}

/// Relative error of a stored number that rounding explains: half a unit of the format, and of float32 and float64 what chains of
/// powers and quotients lose (3.3e-7 and a few units).
double rounding(const Stored& s, double x) {
  const double half = 0.5 * s.spacing(x) / std::max(std::abs(x), 1e-300);
  return s.format == &math::f32_format ? std::max(half, 6e-7) : !s.format && s.decimals < 0 ? 1e-14 : half * 1.01 + 1e-15;
}

struct Judged {
  Candidate candidate;
  Explanation explanation;
};

std::string precision_words(const std::vector<double>& due, const std::vector<double>& x, const Stored& s, bool explains) {
  double units = 0;
  bool rounded = true;
  for (std::size_t j = 0; j < x.size(); ++j) {
    units = std::max(units, std::abs(due[j] - x[j]) / s.spacing(x[j]));
    rounded = rounded && s.round(due[j]) == x[j];
  }
  if (!explains) return "further off than rounding explains";
  if (rounded) return s.name == "float64" ? "exact in float64" : "exact values rounded to " + s.name;
  return fmt::format("computed in {}, at most {} units in the last place from exact", s.name, readable(std::ceil(units)));
}

Judged judged(Candidate c, const Meaning& m, const std::vector<double>& x, const Stored& stored) {
  Explanation e;
  e.spec = c.proposal.spec, e.in_use = c.proposal.in_use, e.note = c.proposal.note, e.also = c.also;
  e.count = std::ssize(x);
  std::vector<double> due;
  for (std::size_t j = 0; j < x.size(); ++j) {
    due.push_back(m.value(c.frequency[j].theta, j));
    const double gap = due[j] == x[j] ? 0 : std::abs(due[j] - x[j]) / std::max(std::abs(due[j]), std::abs(x[j]));
    if (gap > e.residual) e.residual = gap, e.row = static_cast<Index>(j);
    if (gap <= rounding(stored, x[j]))
      ++e.agreeing;
    else if (!e.first)
      e.first = {static_cast<Index>(j), 0};
  }
  e.explains = e.strictly = e.agreeing == e.count;
  e.precision = precision_words(due, x, stored, e.explains);
  return {std::move(c), std::move(e)};
}

void judge(const std::vector<Meaning>& all, const std::vector<double>& x, const Stored& stored,
           std::vector<std::pair<Meaning, Judged>>& out) {
  for (const Meaning& m : all) {
    Observation seen;
    seen.rotation = true, seen.pairs = std::ssize(x), seen.channels = 2 * seen.pairs;
    for (std::size_t j = 0; j < x.size(); ++j) {
      seen.frequency.push_back(m.frequency(x[j], j));
      seen.uncertainty.push_back(std::abs(seen.frequency[j]) * rounding(stored, x[j]));
    }
    const double fastest = *std::max_element(seen.frequency.begin(), seen.frequency.end());
    if (!(fastest >= slowest_first && fastest <= fastest_first)) continue;
    for (Candidate& c : candidates(seen, nullptr)) out.emplace_back(m, judged(std::move(c), m, x, stored));
  }
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    const Judged &x = a.second, &y = b.second;
    if (x.explanation.explains != y.explanation.explains) return x.explanation.explains;
    if (x.explanation.explains) return simpler(x.candidate, y.candidate);
    if (x.explanation.agreeing != y.explanation.agreeing &&
        2 * std::max(x.explanation.agreeing, y.explanation.agreeing) >= x.explanation.count)
      return x.explanation.agreeing > y.explanation.agreeing;
    return x.explanation.residual < y.explanation.residual;
  });
}

/// Half of the vector where the other half repeats it, behind it or side by side.
std::vector<double> once(const std::vector<double>& x, std::string& how) {
  const std::size_t half = x.size() / 2;
  if (x.size() < 4 || x.size() % 2 != 0 || std::all_of(x.begin(), x.end(), [&](double v) { return v == x[0]; })) return x;
  bool behind = true, beside = true;
  std::vector<double> evens;
  for (std::size_t j = 0; j < half; ++j) {
    behind = behind && x[j] == x[half + j], beside = beside && x[2 * j] == x[2 * j + 1];
    evens.push_back(x[2 * j]);
  }
  if (!behind && !beside) return x;
  how = ", each twice";
  return behind ? std::vector<double>(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(half)) : evens;
}

}  // namespace

Identification identify_vector(const std::vector<double>& values) {
  Identification out;
  std::string how;
  if (values.size() > most_pairs) {
    out.kind = "vector", out.stored = stored_as(values).name;
    out.why = fmt::format("{} numbers are more than any head has", values.size());
    return out;
  }
  const std::vector<double> x = once(values, how);
  const Stored stored = stored_as(x);
  out.stored = stored.name, out.kind = "vector";
  if (std::any_of(x.begin(), x.end(), [](double v) { return v < 0; })) return out;
  std::vector<std::pair<Meaning, Judged>> all;
  judge(meanings(x), x, stored, all);
  const auto known = [&] { return !all.empty() && all.front().second.explanation.explains; };
  if (!known()) judge(divisors(x), x, stored, all);
  out.kind = (all.empty() ? "frequencies" : all.front().first.kind) + how;
  for (auto& [meaning, j] : all)
    if (meaning.kind + how == out.kind) out.explanations.push_back(std::move(j.explanation));
  keep_one_a_kind(out.explanations);
  return out;
}

}  // namespace posenc::app
