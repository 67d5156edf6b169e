#include "app/summary.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace posenc::app {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

bool has(const std::vector<std::string>& dims, std::string_view name) {
  return std::find(dims.begin(), dims.end(), name) != dims.end();
}

}  // namespace

bool is_measure(const Variable& v) {
  return v.type != Type::text &&
         std::all_of(v.dims.begin(), v.dims.end(), [](const auto& d) { return d == "head" || d == "factor"; }) &&
         !(v.dims.size() == 1 && v.dims[0] == v.name);
}

std::span<const std::string_view> telling_measures() {
  static constexpr std::string_view names[] = {"undetermined_variance_mean",
                                               "window_error",
                                               "entropy",
                                               "contrast",
                                               "guard",
                                               "pairs_below_one_turn",
                                               "first_negative",
                                               "first_negative_lag",
                                               "critical_dimension",
                                               "retrieval_error",
                                               "unseen_pairs",
                                               "resolution",
                                               "peak_sidelobe",
                                               "log_slope",
                                               "distinct_codes",
                                               "effective_rank"};
  return names;
}

Summary::Summary(const Work& work, const std::vector<std::vector<Schema>>& schemas) : work_(work) {
  for (std::size_t a = 0; a < schemas.size(); ++a)
    for (std::size_t e = 0; e < schemas[a].size(); ++e)
      for (const Variable& v : schemas[a][e].vars) {
        if (!is_measure(v)) continue;
        const std::string analysis(work.analyses[a]->info().name);
        auto at = std::find_if(measures_.begin(), measures_.end(),
                               [&](const Measure& m) { return m.analysis == analysis && m.variable == v.name; });
        if (at == measures_.end()) {
          const bool taken = std::any_of(measures_.begin(), measures_.end(), [&](const Measure& m) { return m.name == v.name; });
          measures_.push_back({analysis, v.name, taken ? analysis + "_" + v.name : v.name, v.unit, v.about});
          at = std::prev(measures_.end());
        }
        if (has(v.dims, "factor")) {
          at->by_factor = true;
          factor_count_ = std::max<std::size_t>(factor_count_, schemas[a][e].dimension("factor")->size);
        }
        (has(v.dims, "head") ? at->per_head : at->plain) = true;
        dims_[{static_cast<std::size_t>(at - measures_.begin()), e}] = v.dims;
      }
}

void Summary::keep(std::size_t analysis, std::size_t entry, std::string_view variable, std::uint64_t first,
                   std::span<const double> values) {
  if (variable == "factor") {
    auto& known = factors_[{analysis, entry}];
    known.insert(known.end(), values.begin(), values.end());
    return;
  }
  const auto at = std::find_if(measures_.begin(), measures_.end(), [&](const Measure& m) {
    return m.variable == variable && m.analysis == work_.analyses[analysis]->info().name;
  });
  if (at == measures_.end()) return;
  auto& cell = cells_[{static_cast<std::size_t>(at - measures_.begin()), entry}];
  cell.resize(std::max<std::size_t>(cell.size(), first + values.size()), none);
  std::copy(values.begin(), values.end(), cell.begin() + static_cast<std::ptrdiff_t>(first));
}

std::vector<double> Summary::values(const Measure& measure, std::size_t entry) const {
  const auto index = static_cast<std::size_t>(&measure - measures_.data());
  const auto at = cells_.find({index, entry});
  return at == cells_.end() ? std::vector<double>{} : at->second;
}

std::vector<std::string> Summary::dims(const Measure& measure, std::size_t entry) const {
  const auto at = dims_.find({static_cast<std::size_t>(&measure - measures_.data()), entry});
  return at == dims_.end() ? std::vector<std::string>{} : at->second;
}

std::vector<double> Summary::factors() const {
  std::vector<double> all;
  for (const auto& [key, values] : factors_)
    for (const double f : values)
      if (std::find(all.begin(), all.end(), f) == all.end()) all.push_back(f);
  std::sort(all.begin(), all.end());
  return all;
}

const std::vector<double>* Summary::factors_of(const Measure& measure, std::size_t entry) const {
  for (std::size_t a = 0; a < work_.analyses.size(); ++a)
    if (work_.analyses[a]->info().name == measure.analysis) {
      const auto at = factors_.find({a, entry});
      return at == factors_.end() ? nullptr : &at->second;
    }
  return nullptr;
}

double Summary::reduced(const Measure& measure, std::size_t entry, std::optional<double> factor, Over over) const {
  const std::vector<double> all = values(measure, entry);
  const std::vector<std::string> shape = dims(measure, entry);
  if (all.empty() || (over == Over::single && has(shape, "head"))) return none;
  std::size_t count = 1, at = 0;
  if (has(shape, "factor")) {
    const auto* own = factors_of(measure, entry);
    if (!own || own->empty()) return none;
    count = own->size();
    const auto found = factor ? std::find(own->begin(), own->end(), *factor) : std::prev(own->end());
    if (found == own->end()) return none;
    at = static_cast<std::size_t>(found - own->begin());
  }
  const std::size_t heads = all.size() / count;
  const bool factor_first = !shape.empty() && shape.front() == "factor";
  double sum = 0, least = none, most = none;
  std::size_t seen = 0;
  for (std::size_t h = 0; h < heads; ++h) {
    const double v = all[factor_first ? at * heads + h : h * count + at];
    if (std::isnan(v)) continue;
    sum += v, ++seen;
    least = std::fmin(least, v), most = std::fmax(most, v);
  }
  if (seen == 0) return none;
  return over == Over::mean || over == Over::single ? sum / static_cast<double>(seen) : over == Over::least ? least : most;
}

double Summary::headline(const Measure& measure, std::size_t entry) const { return reduced(measure, entry, {}, Over::mean); }

std::vector<Summary::Column> Summary::columns() const {
  std::vector<Column> out;
  std::set<std::string> taken{"encoding", "factor", "train_length"};
  const auto add = [&](const Measure& m, const std::string& suffix, const std::string& about, Over over) {
    std::string name = m.name + suffix;
    while (!taken.insert(name).second) name = m.analysis + "_" + name;
    out.push_back({name, m.about + about, &m, over});
  };
  for (const Measure& m : measures_) {
    if (m.plain) add(m, "", "", Over::single);
    if (!m.per_head) continue;
    add(m, "_mean", ", mean over the heads that have it", Over::mean);
    add(m, "_min", ", least of the heads", Over::least);
    add(m, "_max", ", greatest of the heads", Over::most);
  }
  return out;
}

Schema Summary::schema() const {
  Schema out;
  out.axis({"encoding", work_.entries.size()}, Type::text, "1", "label of the encoding");
  const std::size_t known = factors().size();
  const std::size_t count = known ? known : factor_count_;
  if (count) out.axis({"factor", count}, Type::f64, "1", "length in use over training length");
  out.add({"train_length", Type::i64, {"encoding"}, "position", "training length"});
  for (const Column& c : columns()) {
    if (c.measure->by_factor && !count) continue;
    out.add({c.name,
             Type::f64,
             c.measure->by_factor ? std::vector<std::string>{"encoding", "factor"} : std::vector<std::string>{"encoding"},
             c.measure->unit,
             c.about,
             {{"analysis", c.measure->analysis}}});
  }
  return out;
}

void Summary::write(Sink& sink) const {
  std::vector<std::string> labels;
  std::vector<double> lengths;
  for (const auto& e : work_.entries)
    labels.push_back(e.spec.label), lengths.push_back(static_cast<double>(e.scheme->train_length()));
  const std::vector<double> factors = this->factors();
  sink.write_text("encoding", 0, labels);
  if (!factors.empty()) sink.write("factor", 0, factors);
  sink.write("train_length", 0, lengths);
  for (const Column& c : columns()) {
    std::vector<double> rows;
    for (std::size_t e = 0; e < labels.size(); ++e) {
      if (!c.measure->by_factor) rows.push_back(reduced(*c.measure, e, {}, c.over));
      if (c.measure->by_factor)
        for (const double f : factors) rows.push_back(reduced(*c.measure, e, f, c.over));
    }
    if (!rows.empty()) sink.write(c.name, 0, rows);
  }
}

}  // namespace posenc::app
