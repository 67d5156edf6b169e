#include "app/published/truth.hpp"
#include "app/table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace posenc::app {
namespace {

std::string signed_number(double x) { return std::isnan(x) ? "-" : fmt::format("{:+.2f}", x); }

/// Rows that have the measure, with the difference of the two ranks, the largest first.
std::vector<std::pair<double, const TruthRow*>> misses(const TruthTable& t, const std::string& measure, std::size_t k) {
  std::vector<const TruthRow*> rows;
  std::vector<double> x, y;
  for (const TruthRow& row : t.rows)
    if (const double v = row.measures.at(measure)[k]; !std::isnan(v))
      rows.push_back(&row), x.push_back(v), y.push_back(row.excess[k]);
  const std::vector<double> a = ranks(x), b = ranks(y);
  std::vector<std::pair<double, const TruthRow*>> out;
  for (std::size_t i = 0; i < rows.size(); ++i) out.emplace_back(a[i] - b[i], rows[i]);
  std::stable_sort(out.begin(), out.end(), [](const auto& p, const auto& q) { return std::abs(p.first) > std::abs(q.first); });
  return out;
}

std::string name_of(const TruthUnit& u) { return u.variant == "none" ? u.scheme : u.scheme + " " + u.variant; }

}  // namespace

std::string truth_text(const TruthTable& t) {
  std::set<std::string> families;
  for (const TruthRow& row : t.rows) families.insert(row.unit.family);
  std::string out =
      "Rank correlation (Spearman) with the measured excess loss; beneath, the least and the largest as one family of "
      "encodings is left out.\n\n";
  std::vector<std::string> heading{"measure", "encodings"};
  for (const double f : t.factors) heading.push_back(fmt::format("{:g} L", f)), heading.push_back("one family left out");
  TextTable correlations(heading);
  for (const std::string& measure : t.measures) {
    const auto count =
        std::count_if(t.rows.begin(), t.rows.end(), [&](const TruthRow& r) { return !std::isnan(r.measures.at(measure)[0]); });
    std::vector<std::string> row{measure, std::to_string(count)};
    for (const double f : t.factors) {
      double least = 2, most = -2;
      for (const std::string& family : families)
        if (const double r = spearman(t, measure, f, family); !std::isnan(r))
          least = std::min(least, r), most = std::max(most, r);
      row.push_back(signed_number(spearman(t, measure, f)));
      row.push_back(least > most ? "-" : fmt::format("{:+.2f} to {:+.2f}", least, most));
    }
    correlations.add(row);
  }
  out += correlations.text() + "\n";
  heading = {"encoding"};
  for (const double f : t.factors) heading.push_back(fmt::format("excess {:g} L", f));
  const std::vector<std::string> shown{"undetermined_variance_mean", "window_error", "retrieval_error"};
  const std::size_t middle = t.factors.size() / 2;
  for (const auto& name : shown) heading.push_back(fmt::format("{} {:g} L", name, t.factors[middle]));
  TextTable units(heading);
  std::vector<const TruthRow*> rows;
  for (const TruthRow& row : t.rows) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TruthRow* a, const TruthRow* b) { return a->excess.back() < b->excess.back(); });
  for (const TruthRow* row : rows) {
    std::vector<std::string> line{name_of(row->unit)};
    for (const double e : row->excess) line.push_back(fmt::format("{:.3f}", e));
    for (const auto& name : shown) line.push_back(readable(row->measures.at(name)[middle]));
    units.add(line);
  }
  out += units.text() + "\n";
  for (const auto& name : shown) {
    std::vector<std::string> worst;
    for (const auto& [off, row] : misses(t, name, middle))
      if (worst.size() < 4 && off != 0) worst.push_back(fmt::format("{} {:+g}", name_of(row->unit), off));
    out += fmt::format("Largest misses of {} at {:g} L, in ranks (+: expected worse than it is): {}\n", name, t.factors[middle],
                       fmt::join(worst, ", "));
  }
  return out;
}

}  // namespace posenc::app
