#include "app/identification.hpp"

#include "app/identification_candidates.hpp"
#include "core/sink.hpp"
#include "model/views/observe_pair.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using namespace model;

constexpr std::size_t looked_at = 40;  // candidates of a reading, by the distance of their frequencies
constexpr std::size_t fitted = 8;      // of all, whose arithmetic is looked for
constexpr std::size_t compared = 5;    // of them, compared row by row
constexpr double equal_scores = 3;     // ratio of scores below which every row decides

struct Amplitude {
  double value = 1;
  std::string words;
};

/// What the encoding's amplitude is multiplied by: 1, a root of the width or a round number where the rounding allows one.
Amplitude multiplier(const Observation& seen, const Candidate& c) {
  const double x = *seen.amplitude / c.amplitude, off = std::max(4 * seen.amplitude_uncertainty, 1e-12);
  const auto near = [&](double y) { return std::abs(x - y) <= off * x; };
  if (near(1)) return {};
  for (const Index n : {seen.channels, 2 * seen.pairs}) {
    if (const double root = std::sqrt(static_cast<double>(n)); near(root)) return {root, fmt::format("sqrt({})", n)};
    if (const double root = 1 / std::sqrt(static_cast<double>(n)); near(root)) return {root, fmt::format("1/sqrt({})", n)};
  }
  for (const double n : {2.0, 3.0, 0.5})
    if (near(std::sqrt(n))) return {std::sqrt(n), fmt::format("sqrt({})", n)};
  for (int digits = 1; digits <= 7; ++digits) {
    const double unit = std::pow(10, std::floor(std::log10(x)) - digits + 1);
    if (const double round = std::stod(number_text(std::round(x / unit) * unit)); near(round)) return {round, ""};
  }
  return {x, ""};
}

struct Fitted {
  Candidate candidate;
  Amplitude multiplier;
  Cached cached;
  CacheFit fit;
};

std::string precision_words(const Fitted& f, const Departure& d) {
  const std::string words = f.fit.recipe->words;
  const std::string units = f.fit.units == 0 ? ""
                                             : fmt::format(" (frequencies at most {} unit{} in the last place off)", f.fit.units,
                                                           f.fit.units > 1 ? "s" : "");
  if (d.by_bound) return "float32 as a whole explains it; nearest: " + words + units;
  if (d.departs) return words + units;
  return fmt::format("{}, stored as {}{}{}", words, f.cached.stored.name, d.to_the_bit ? ", to the last bit" : "", units);
}

std::vector<Pos> zero_rows(const Candidate& c, const Observation& seen) {
  std::vector<Pos> out;
  if (!c.table) return out;
  Matrix row(1, c.table->channels());
  for (const Pos p : seen.zero_rows) {
    if (p < 0) continue;
    c.table->block(p, row);
    if (row.isZero(0)) out.push_back(p);
  }
  return out;
}

Explanation explanation(const Fitted& f, const LaterRows& later) {
  const Observed& o = *f.candidate.reading;
  const Departure d = departure(f.cached, f.fit, zero_rows(f.candidate, o.numbers), later);
  Explanation out;
  out.spec = f.candidate.proposal.spec, out.in_use = f.candidate.proposal.in_use, out.note = f.candidate.proposal.note;
  out.also = f.candidate.also;
  out.layout = o.layout, out.start = o.start, out.step = o.step;
  out.amplitude = f.multiplier.value, out.amplitude_words = f.multiplier.words;
  out.precision = precision_words(f, d);
  out.residual = d.residual, out.row = d.row, out.column = d.column;
  if (d.departs) out.first = {d.first_row, d.first_column};
  out.agreeing = d.rows_agreeing, out.count = f.cached.rows->rows() + later.count;
  out.explains = !d.departs, out.strictly = !d.departs && !d.by_bound, out.nearly = d.few && !d.by_bound;
  return out;
}

/// The candidates' order: those that explain to the storage's rounding, simplest first, then all but few rows to it, then those
/// that explain, then by rows.
void rank(std::vector<std::pair<Candidate, Explanation>>& all) {
  // A multiplier of many digits takes up what the encoding does not explain.
  const auto plainer = [](const auto& a, const auto& b) {
    const auto fitted_multiplier = [](const Explanation& e) {
      return e.amplitude_words.empty() && number_text(e.amplitude).size() > 9;
    };
    const bool x = fitted_multiplier(a.second), y = fitted_multiplier(b.second);
    return x != y ? y : simpler(a.first, b.first);
  };
  const auto share = [](const Explanation& e) { return static_cast<double>(e.agreeing) / static_cast<double>(e.count); };
  std::stable_sort(all.begin(), all.end(), [&](const auto& a, const auto& b) {
    const Explanation &x = a.second, &y = b.second;
    if (x.strictly != y.strictly) return x.strictly;
    if (x.nearly != y.nearly) return x.nearly;
    if (x.explains != y.explains) return x.explains;
    if (x.explains) return plainer(a, b);
    if (share(x) != share(y)) return share(x) > share(y);
    if (x.nearly) return plainer(a, b);
    return x.residual < y.residual;
  });
}

bool nearer(const Fitted& a, const Fitted& b) { return a.fit.score < b.fit.score; }

/// Of fits by score those up to `reach`, which scores do not tell apart, by simplicity.
void simplest_first(std::vector<Fitted>& fits, double reach) {
  const auto end = std::find_if(fits.begin(), fits.end(), [&](const Fitted& f) { return f.fit.score > reach; });
  std::stable_sort(fits.begin(), end, [](const Fitted& a, const Fitted& b) { return simpler(a.candidate, b.candidate); });
}

/// Those worth a full fit: the nearest, equally near ones by simplicity, and one of another scheme to compare with.
void keep_nearest(std::vector<Fitted>& fits) {
  if (fits.size() <= fitted) return;
  std::stable_sort(fits.begin(), fits.end(), nearer);
  simplest_first(fits, equal_scores * fits.front().fit.score + 0x1p-24);
  const std::string first = fits.front().candidate.proposal.spec.scheme;
  const auto other =
      std::find_if(fits.begin(), fits.end(), [&](const Fitted& f) { return f.candidate.proposal.spec.scheme != first; });
  if (other != fits.end() && other - fits.begin() >= static_cast<std::ptrdiff_t>(fitted))
    std::iter_swap(fits.begin() + fitted - 1, other);
  fits.erase(fits.begin() + fitted, fits.end());
}

std::vector<Explanation> explanations(const Matrix& values, const std::vector<Observed>& readings, const Stored& stored,
                                      const LaterRows& later) {
  std::vector<Fitted> fits;
  for (const Observed& o : readings) {
    std::vector<Candidate> some = candidates(o.numbers, &o);
    for (std::size_t i = 0; i < some.size() && i < looked_at; ++i) {
      const Amplitude m = multiplier(o.numbers, some[i]);
      Cached cached{&values, &o, some[i].frequency, some[i].amplitude * m.value, stored};
      throw_if_stop_requested();
      CacheFit f = quick_fit(cached);
      fits.push_back({std::move(some[i]), m, std::move(cached), std::move(f)});
    }
  }
  keep_nearest(fits);
  for (Fitted& f : fits) throw_if_stop_requested(), f.fit = fit(f.cached);
  std::stable_sort(fits.begin(), fits.end(), nearer);
  const double reach = fits.empty() ? 0 : equal_scores * fits.front().fit.score + 1e-16;
  simplest_first(fits, reach);
  std::vector<std::pair<Candidate, Explanation>> all;
  std::vector<std::string> schemes;
  for (const Fitted& f : fits) {
    const std::string& scheme = f.candidate.proposal.spec.scheme;
    const bool another =
        all.size() < 2 || (std::find(schemes.begin(), schemes.end(), scheme) == schemes.end() && schemes.size() < 2);
    if (!another && (f.fit.score > reach || all.size() >= compared)) continue;
    if (std::find(schemes.begin(), schemes.end(), scheme) == schemes.end()) schemes.push_back(scheme);
    all.emplace_back(f.candidate, explanation(f, later));
  }
  rank(all);
  std::vector<Explanation> out;
  for (auto& [candidate, e] : all) out.push_back(std::move(e));
  keep_one_a_kind(out);
  return out;
}

/// Where nothing was read: the plainest forms of the schemes, scaled, the nearest in the mean of squares first.
void compare_plainest(const Matrix& values, bool halves, const Stored& stored, Identification& out) {
  double best = -1;
  for (const Observed& o : layouts(values, halves))
    for (Candidate& c : candidates(o.numbers, &o)) {
      throw_if_stop_requested();
      Cached cached{&values, &o, c.frequency, 1, {}};
      const auto [product, square, all] = overlap(cached);
      const double share = all > 0 && square > 0 ? product * product / (square * all) : 0;
      if (share <= best || !(product > 0)) continue;
      best = share;
      cached.amplitude = product / square, cached.stored = stored;
      Fitted f{c, {cached.amplitude, ""}, cached, exact_fit(cached)};
      out.explanations.insert(out.explanations.begin(), explanation(f, {}));
      out.explanations.front().explains = false;
    }
  keep_one_a_kind(out.explanations);
  out.variance_explained = std::max(best, 0.0);
}

}  // namespace

Identification identify_rows(const Matrix& values, bool halves, const LaterRows& later) {
  Identification out;
  const Stored stored = stored_as({values.data(), static_cast<std::size_t>(values.size())});
  out.stored = stored.name, out.kind = halves ? "cosines and sines" : "table";
  const double unit = stored.spacing(0.75);
  std::vector<Observed> readings = observe(values, halves, unit);
  Matrix turned;
  const Matrix* used = &values;
  if (readings.empty() && !halves) {
    turned = later.count ? Matrix() : Matrix(values.transpose());
    readings = observe(turned, false, unit);
    if (!readings.empty()) out.kind = "table, positions by column", used = &turned;
  }
  if (readings.empty()) {
    compare_plainest(values, halves, stored, out);
    return out;
  }
  out.sinusoids = true, out.amplitude = readings.front().numbers.amplitude;
  out.explanations = explanations(*used, readings, stored, later);
  return out;
}

Identification identify(const IdentificationInput& input) {
  if (input.values.rows() == 1) return identify_vector({input.values.data(), input.values.data() + input.values.size()});
  Identification out = identify_rows(input.values, input.halves, input.later);
  if (!input.shape.empty()) out.kind += ", " + input.shape;
  if (input.later.count && !out.sinusoids)
    out.kind += fmt::format(", the first {} of {} positions", input.values.rows(), input.values.rows() + input.later.count);
  return out;
}

}  // namespace posenc::app
