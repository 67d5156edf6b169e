#include "app/published/truth.hpp"

#include "app/data_folder.hpp"
#include "app/published/selection.hpp"
#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>

namespace posenc::app {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<const char*, 13> measures{"undetermined_variance_mean",
                                               "undetermined_variance_max",
                                               "fit_blowup_max",
                                               "fit_blowup_rms",
                                               "unseen_pairs",
                                               "unseen_phase",
                                               "unseen_fraction",
                                               "leak",
                                               "entropy_drift",
                                               "resolution",
                                               "distinct_fraction",
                                               "window_error",
                                               "retrieval_error"};

Operand operand_of(const Truth& truth, const TruthUnit& unit, const char* variable) {
  return {"extrapolation", unit.encoding, truth.options, variable, false, {}};
}

std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> out;
  std::stringstream rest(line);
  for (std::string cell; std::getline(rest, cell, ',');) out.push_back(cell);
  return out;
}

/// (scheme, variant, length) -> mean over seeds of the excess.
std::map<std::tuple<std::string, std::string, std::int64_t>, double> read_losses(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw Error(Exit::no_input, fmt::format("{}: cannot be read", path));
  std::string line;
  std::getline(in, line);
  const std::vector<std::string> heading = cells(line);
  const auto column = [&](const char* name) {
    const auto at = std::find(heading.begin(), heading.end(), name);
    if (at == heading.end()) throw BadData(fmt::format("{}: no column {}", path, name));
    return static_cast<std::size_t>(at - heading.begin());
  };
  const std::size_t scheme = column("scheme"), variant = column("variant"), length = column("eval_length"),
                    excess = column("excess_last_quarter");
  std::map<std::tuple<std::string, std::string, std::int64_t>, std::pair<double, int>> sums;
  for (int number = 2; std::getline(in, line); ++number) {
    const std::vector<std::string> row = cells(line);
    const std::string where = fmt::format("{}:{}", path, number);
    if (row.size() != heading.size()) throw BadData(where + ": the row has another number of columns than the heading");
    auto& [sum, seeds] = sums[{row[scheme], row[variant], parse_integer(where, row[length])}];
    sum += parse_number(where, row[excess]), ++seeds;
  }
  std::map<std::tuple<std::string, std::string, std::int64_t>, double> out;
  for (const auto& [key, sum] : sums) out[key] = sum.first / sum.second;
  return out;
}

/// The measure at every factor, mean over heads; empty where the encoding has none.
std::vector<double> measured(const KeptRun& run, const Operand& o, const std::vector<double>& factors) {
  std::vector<double> out;
  for (const double factor : factors) {
    Operand at = o;
    at.at = {{"factor", factor}};
    try {
      const Selection s = select(run, at);
      out.push_back(std::accumulate(s.values.begin(), s.values.end(), 0.0) / static_cast<double>(s.values.size()));
    } catch (const UsageError&) {
      if (!run.failure.empty()) throw;
      return {};
    }
  }
  return out;
}

double pearson(const std::vector<double>& x, const std::vector<double>& y) {
  const double n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / n, my = std::accumulate(y.begin(), y.end(), 0.0) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    xx += (x[i] - mx) * (x[i] - mx), yy += (y[i] - my) * (y[i] - my), xy += (x[i] - mx) * (y[i] - my);
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : none;
}

}  // namespace

std::vector<double> ranks(const std::vector<double>& x) {
  const auto tied = [](double u, double v) { return std::abs(u - v) <= 1e-12 * std::max(std::abs(u), std::abs(v)); };
  std::vector<double> out;
  for (const double v : x) {
    const auto below = std::count_if(x.begin(), x.end(), [&](double u) { return u < v && !tied(u, v); });
    const auto equal = std::count_if(x.begin(), x.end(), [&](double u) { return tied(u, v); });
    out.push_back(static_cast<double>(below) + (static_cast<double>(equal) + 1) / 2);
  }
  return out;
}

void need_truth(const Truth& truth, PublishedRuns& runs) {
  for (const TruthUnit& unit : truth.units)
    for (const char* name : measures) runs.need(operand_of(truth, unit, name));
}

TruthTable truth_table(const Truth& truth, const PublishedRuns& runs) {
  const auto losses = read_losses(data_folder() + "/" + truth.losses);
  TruthTable out;
  for (const char* name : measures) out.measures.emplace_back(name);
  for (const TruthUnit& unit : truth.units) {
    const KeptRun& run = runs.of(operand_of(truth, unit, measures.front()));
    if (!run.failure.empty()) throw UsageError(fmt::format("{}: {}", unit.encoding, run.failure));
    if (out.factors.empty()) out.factors = run.numbers.at("factor");
    TruthRow& row = out.rows.emplace_back(TruthRow{unit, {}, {}});
    double length = 0;
    for (const Attribute& a : run.attributes)
      if (a.name == "train_length") length = static_cast<double>(std::get<std::int64_t>(a.value));
    for (const double factor : out.factors) {
      const auto at = losses.find({unit.scheme, unit.variant, std::llround(factor * length)});
      if (at == losses.end())
        throw BadData(fmt::format("{}: no losses of {} {} at {}", truth.losses, unit.scheme, unit.variant, factor * length));
      row.excess.push_back(at->second);
    }
    for (const char* name : measures) {
      const auto values = measured(run, operand_of(truth, unit, name), out.factors);
      row.measures[name] = values.empty() ? std::vector<double>(out.factors.size(), none) : values;
    }
  }
  return out;
}

double spearman(const TruthTable& table, std::string_view measure, double factor, std::string_view without) {
  const auto at = std::find(table.factors.begin(), table.factors.end(), factor);
  if (at == table.factors.end()) throw UsageError(fmt::format("factor has no value {}", factor));
  const auto k = static_cast<std::size_t>(at - table.factors.begin());
  std::vector<double> x, y;
  for (const TruthRow& row : table.rows) {
    const auto values = row.measures.find(measure);
    if (values == row.measures.end()) throw UsageError(fmt::format("no measure {}", measure));
    if (std::isnan(values->second[k]) || (!without.empty() && row.unit.family == without)) continue;
    x.push_back(values->second[k]), y.push_back(row.excess[k]);
  }
  return x.size() < 3 ? none : pearson(ranks(x), ranks(y));
}

double spearman(const TruthTable& table, const PublishedNumber& n) {
  double factor = none;
  for (const auto& [name, where] : n.ours.at)
    if (name == "factor" && std::holds_alternative<double>(where)) factor = std::get<double>(where);
  return spearman(table, n.ours.variable, factor, n.without);
}

}  // namespace posenc::app
