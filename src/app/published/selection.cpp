#include "app/published/selection.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace posenc::app {
namespace {

using Indices = std::vector<std::size_t>;

bool fits(double x, const Where& where) {
  if (const auto* range = std::get_if<CoordinateRange>(&where)) return x >= range->from && x < range->below;
  const auto* wanted = std::get_if<double>(&where);
  return wanted && std::abs(x - *wanted) <= 1e-12 * std::abs(*wanted);
}

/// Indices of one dimension that `where` takes; all where it is null.
Indices taken(const KeptRun& run, const std::string& dim, const Where* where) {
  Indices out;
  const auto words = run.words.find(dim);
  const auto numbers = run.numbers.find(dim);
  const std::size_t size = words != run.words.end()       ? words->second.size()
                           : numbers != run.numbers.end() ? numbers->second.size()
                                                          : 0;
  for (std::size_t i = 0; i < size; ++i) {
    const bool by_word = words != run.words.end();
    if (!where || (by_word ? std::holds_alternative<std::string>(*where) && std::get<std::string>(*where) == words->second[i]
                           : fits(numbers->second[i], *where)))
      out.push_back(i);
  }
  if (out.empty()) throw UsageError(fmt::format("{} has no such value", dim));
  return out;
}

double attribute_of(const KeptRun& run, const std::string& name) {
  for (auto a = run.attributes.rbegin(); a != run.attributes.rend(); ++a) {
    if (a->name != name) continue;
    if (const auto* x = std::get_if<double>(&a->value)) return *x;
    if (const auto* k = std::get_if<std::int64_t>(&a->value)) return static_cast<double>(*k);
  }
  throw UsageError(fmt::format("{}: no number among the attributes", name));
}

double median(std::vector<double> x) {
  std::sort(x.begin(), x.end());
  const std::size_t n = x.size();
  return n % 2 ? x[n / 2] : (x[n / 2 - 1] + x[n / 2]) / 2;
}

double reduced(const PublishedNumber& n, const Selection& s) {
  const std::vector<double>& x = s.values;
  const auto coordinate = [&](std::vector<double>::const_iterator at) {
    if (s.coordinate.empty()) throw UsageError("a coordinate needs exactly one dimension left");
    return at == x.end() ? std::numeric_limits<double>::quiet_NaN() : s.coordinate[static_cast<std::size_t>(at - x.begin())];
  };
  const auto passes = [&](double v) { return n.above ? v > *n.above : v < *n.below; };
  const double size = static_cast<double>(x.size());
  switch (n.reduce) {
    case Reduce::one:
      if (x.size() != 1) throw UsageError(fmt::format("{} elements where one is wanted", x.size()));
      return x.front();
    case Reduce::max:
      return *std::max_element(x.begin(), x.end());
    case Reduce::min:
      return *std::min_element(x.begin(), x.end());
    case Reduce::argmax:
      return coordinate(std::max_element(x.begin(), x.end()));
    case Reduce::argmin:
      return coordinate(std::min_element(x.begin(), x.end()));
    case Reduce::mean:
      return std::accumulate(x.begin(), x.end(), 0.0) / size;
    case Reduce::median:
      return median(x);
    case Reduce::sum:
      return std::accumulate(x.begin(), x.end(), 0.0);
    case Reduce::count:
      return static_cast<double>(std::count_if(x.begin(), x.end(), passes));
    case Reduce::first:
      return coordinate(std::find_if(x.begin(), x.end(), passes));
    case Reduce::last: {
      const auto back = std::find_if(x.rbegin(), x.rend(), passes);
      return coordinate(back == x.rend() ? x.end() : back.base() - 1);
    }
    case Reduce::spearman:
      break;
  }
  throw UsageError("a rank correlation is of a list of trained models");
}

}  // namespace

Selection select(const KeptRun& run, const Operand& operand) {
  if (!run.failure.empty()) throw UsageError(run.failure);
  if (operand.attribute) return {{attribute_of(run, operand.variable)}, {}};
  const Variable* v = run.schema.variable(operand.variable);
  if (!v) {
    for (const auto& [name, reason] : run.schema.not_applicable)
      if (name == operand.variable) throw UsageError(fmt::format("{} is not applicable: {}", name, reason));
    throw UsageError(fmt::format("{} writes no {}", operand.analysis, operand.variable));
  }
  for (const auto& [dim, where] : operand.at)
    if (std::find(v->dims.begin(), v->dims.end(), dim) == v->dims.end())
      throw UsageError(fmt::format("{} has no dimension {}", operand.variable, dim));
  std::vector<Indices> indices;
  std::vector<std::size_t> sizes;
  const std::string* several = nullptr;
  bool one_dimension = true;
  for (const std::string& dim : v->dims) {
    const auto at = std::find_if(operand.at.begin(), operand.at.end(), [&](const auto& a) { return a.first == dim; });
    indices.push_back(taken(run, dim, at == operand.at.end() ? nullptr : &at->second));
    sizes.push_back(taken(run, dim, nullptr).size());
    if (indices.back().size() > 1) one_dimension = one_dimension && !several, several = &dim;
  }
  const std::vector<double>& all = run.numbers.at(operand.variable);
  Selection out;
  std::vector<std::size_t> at(indices.size(), 0);
  for (;;) {
    std::size_t offset = 0;
    for (std::size_t d = 0; d < at.size(); ++d) offset = offset * sizes[d] + indices[d][at[d]];
    out.values.push_back(all.at(offset));
    std::size_t d = at.size();
    while (d > 0 && ++at[d - 1] == indices[d - 1].size()) at[--d] = 0;
    if (d == 0) break;
  }
  if (several && one_dimension && run.numbers.contains(*several)) {
    const std::size_t d = static_cast<std::size_t>(std::find(v->dims.begin(), v->dims.end(), *several) - v->dims.begin());
    for (const std::size_t i : indices[d]) out.coordinate.push_back(run.numbers.at(*several)[i]);
  }
  return out;
}

double our_number(const PublishedNumber& n, const PublishedRuns& runs) {
  Selection a = select(runs.of(n.ours), n.ours);
  if (n.against) {
    const Selection b = select(runs.of(*n.against), *n.against);
    if (a.values.size() != b.values.size())
      throw UsageError(fmt::format("{} elements against {}", a.values.size(), b.values.size()));
    for (std::size_t i = 0; i < a.values.size(); ++i) {
      double& x = a.values[i];
      if (n.combine == Combine::difference) x -= b.values[i];
      if (n.combine == Combine::ratio) x /= b.values[i];
      if (n.combine == Combine::relative_difference) x = x / b.values[i] - 1;
    }
  }
  if (n.magnitude)
    for (double& x : a.values) x = std::abs(x);
  const double r = reduced(n, a);
  return n.scale * (n.power == 1 ? r : std::pow(r, n.power));
}

}  // namespace posenc::app
