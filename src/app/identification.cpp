#include "app/identification.hpp"

#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "math/formats.hpp"
#include "model/views/rotary_rows.hpp"
#include "model/views/traits.hpp"
#include "schemes/registry.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using namespace model;

constexpr std::size_t tried = 16;        // readings that are compared row by row
constexpr double convincing = 5e-3;      // bfloat16 moves a cosine by 0.002

std::shared_ptr<Scheme> made(const EncodingSpec& spec) {
  const Tables tables;
  Request request;
  return resolve(spec, request, tables).scheme;
}

std::vector<double> frequencies_of(const Encoding& e) {
  std::vector<double> out;
  if (const auto* r = form<Rotary>(e))
    for (Index j = 0; j < r->pairs(); ++j) out.push_back(r->at(0, 0, j).theta);
  if (const auto* a = form<AbsoluteTable>(e))
    if (const auto* spectrum = a->rows->spectrum())
      for (const Frequency& f : *spectrum) out.push_back(f.theta);
  return out;
}

/// Largest relative difference and its pair; infinite where the numbers of pairs differ.
std::pair<double, Index> misfit(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return {INFINITY, 0};
  std::pair<double, Index> worst{0, 0};
  for (std::size_t j = 0; j < a.size(); ++j) {
    const double gap = a[j] == b[j] ? 0 : std::abs(a[j] - b[j]) / std::max(std::abs(a[j]), std::abs(b[j]));
    if (gap > worst.first) worst = {gap, static_cast<Index>(j)};
  }
  return worst;
}

struct Candidate {
  EncodingSpec spec;
  const Observed* seen;
  Encoding encoding;
  double misfit;
  Index pair;
};

std::vector<Candidate> proposals(const Observed& seen) {
  std::vector<Candidate> out;
  for (const auto name : schemes::registry().names()) {
    const auto scheme = schemes::registry().make(name);
    const auto* recogniser = dynamic_cast<const Recogniser*>(scheme.get());
    if (!recogniser) continue;
    for (EncodingSpec& spec : recogniser->explain(seen.numbers)) {
      const auto resolved = made(spec);
      Encoding e = resolved->lower(resolved->train_length());
      const auto [gap, pair] = misfit(frequencies_of(e), seen.numbers.frequency);
      out.push_back({std::move(spec), &seen, std::move(e), gap, pair});
    }
  }
  return out;
}

/// The rows that the candidate would have.
Matrix rows_of(const Candidate& c, const Matrix& values) {
  Matrix out(values.rows(), values.cols());
  if (const auto* a = form<AbsoluteTable>(c.encoding)) {
    a->rows->block(c.seen->start, out);
    return out;
  }
  const auto& r = *form<Rotary>(c.encoding);
  Matrix cosine(values.rows(), r.pairs()), sine(cosine.rows(), cosine.cols());
  rotary_rows(c.encoding, r, 0, c.seen->start, cosine, sine);
  out = values;
  for (std::size_t j = 0; j < c.seen->cosine.size(); ++j) {
    out.col(c.seen->cosine[j]) = cosine.col(static_cast<Index>(j));
    out.col(c.seen->sine[j]) = sine.col(static_cast<Index>(j));
  }
  return out;
}

Explanation compared(const Candidate& c, const Matrix& values) {
  Explanation out{c.spec, c.seen->layout, c.seen->start, 0, 0, 0};
  const Matrix ours = rows_of(c, values);
  for (Index i = 0; i < values.rows(); ++i)
    for (Index j = 0; j < values.cols(); ++j)
      if (const double gap = std::abs(ours(i, j) - values(i, j)); gap > out.residual) out.residual = gap, out.row = i, out.column = j;
  return out;
}

/// Length of its parameters as text.
std::size_t plainness(const EncodingSpec& spec) {
  std::size_t out = 0;
  for (const auto& [key, value] : spec.values) out += value.size() > 6 ? value.size() : 0;  // words and round numbers are short
  return out;
}

/// Nearest first; of one scheme the best, and of those as good but for rounding the one with the rounder parameters.
void keep_best(std::vector<Explanation>& all) {
  std::stable_sort(all.begin(), all.end(), [](const Explanation& a, const Explanation& b) { return a.residual < b.residual; });
  std::vector<Explanation> best;
  for (Explanation& e : all) {
    const auto kept = std::find_if(best.begin(), best.end(), [&](const Explanation& x) { return x.spec.scheme == e.spec.scheme; });
    if (kept == best.end())
      best.push_back(std::move(e));
    else if (plainness(e.spec) < plainness(kept->spec) && e.residual <= 4 * kept->residual + 1e-15)
      *kept = std::move(e);
  }
  all = std::move(best);
}

std::string stored_as(const Matrix& values) {
  const auto all = [&](const math::BinaryFormat& f) {
    return std::all_of(values.data(), values.data() + values.size(), [&](double x) { return math::round_to(f, x) == x; });
  };
  return all(math::bf16_format) ? "bfloat16" : all(math::f16_format) ? "float16" : all(math::f32_format) ? "float32" : "float64";
}

std::string precision_of(double residual, double last_angle) {
  if (residual <= 1e-15) return "exact in float64";
  if (residual <= std::max(1.0, last_angle) * 0x1p-52 * 4) return "computed in float64";
  if (residual <= 0x1p-24) return "exact values rounded to float32";
  if (residual <= std::max(1.0, last_angle) * 0x1p-23) return "computed in float32";
  if (residual <= 0x1p-11) return "exact values rounded to float16";
  if (residual <= 0x1p-8) return "exact values rounded to bfloat16";
  return "further off than rounding of exact values explains";
}

}  // namespace

Identification identify(const Matrix& values, bool halves) {
  Identification out;
  out.stored = stored_as(values);
  const bool vector = values.rows() == 1 || values.cols() == 1;
  std::vector<Observed> readings;
  if (vector) {
    out.kind = "frequencies";
    Observed seen;
    seen.numbers.frequency.assign(values.data(), values.data() + values.size());
    auto& f = seen.numbers.frequency;
    if (f.size() > 1 && f.back() > f.front()) {
      out.kind = "inverses of frequencies";
      for (double& x : f) x = 1 / x;
    }
    readings.push_back(std::move(seen));
  } else {
    out.kind = halves ? "cosines and sines" : "table";
    readings = observe(values, halves);
  }
  std::vector<Candidate> candidates;
  for (const Observed& seen : readings) {
    auto some = proposals(seen);
    std::move(some.begin(), some.end(), std::back_inserter(candidates));
  }
  std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.misfit < b.misfit; });
  for (std::size_t i = 0; i < candidates.size() && (vector || i < tried); ++i) {
    const Candidate& c = candidates[i];
    if (!std::isfinite(c.misfit)) continue;
    out.explanations.push_back(vector ? Explanation{c.spec, "", 0, c.misfit, c.pair, 0} : compared(c, values));
  }
  keep_best(out.explanations);
  if (out.explanations.empty()) return out;
  const Explanation& best = out.explanations.front();
  out.known = best.residual <= convincing;
  out.precision = precision_of(best.residual, vector ? 1 : static_cast<double>(best.start + values.rows()));
  if (!readings.empty()) out.attention_factor = readings.front().numbers.attention_factor;
  return out;
}

}  // namespace posenc::app
