#include "analyses/extrapolation_measures.hpp"

#include "analyses/extrapolation_attention.hpp"
#include "analyses/extrapolation_coverage.hpp"
#include "analyses/extrapolation_tables.hpp"
#include "model/views/arrays.hpp"
#include "model/views/lag_statistics.hpp"

#include <cmath>
#include <limits>

namespace posenc::analyses {
namespace {

void measure_phases(const ExtrapolationSetting& s, const LagsInUse& lags, std::size_t f, Index head, ByHeadAndFactor& out) {
  const Spectrum trained = *feature_spectrum(s.trained, head), used = *feature_spectrum(s.used[f], head);
  out["unseen_pairs"].push_back(unseen_pairs(trained, used, lags));
  out["unseen_phase"].push_back(unseen_phase(trained, used, lags));
}

/// Lowest and highest bias of a head over the training pairs.
std::array<double, 2> bias_seen(const ExtrapolationSetting& s, Index head) {
  std::array<double, 2> seen{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Pos m : {s.length / 4, s.length / 2, 3 * s.length / 4, s.length - 1}) {
    if (s.traits.by_lag && m != s.length - 1) continue;
    std::vector<double> bias(static_cast<std::size_t>(m + 1));
    lag_statistics(s.trained, head, {0, m + 1})->score(0, bias);
    for (const double b : bias) seen = {std::min(seen[0], b), std::max(seen[1], b)};
  }
  return seen;
}

TableReader reader_of(const Encoding& e, Pos positions) {
  Request request;
  request.length = positions;
  for (const ArrayGroup& g : arrays(e, request))
    if (g.variables[0].name == "table")
      return {static_cast<Pos>(g.dims[0].size), static_cast<Index>(g.dims[1].size),
              [fill = g.fill](Pos first, Index count, double* out) { fill(first, count, {out}); }};
  return {};
}

/// sqrt(sum_m |p_m - p_{m+1}|^2 / sum_m (|p_m|^2 + |p_{m+1}|^2)) over the rows there are.
double neighbour_distance(const TableReader& table) {
  double difference = 0, norm = 0;
  Matrix rows(257, table.channels);
  for (Pos first = 0; first + 1 < table.rows; first += 256) {
    const Index count = std::min<Pos>(257, table.rows - first);
    table.read(first, count, rows.data());
    for (Index i = 0; i + 1 < count; ++i)
      for (Index c = 0; c < table.channels; ++c) {
        const double a = rows(i, c), b = rows(i + 1, c);
        difference += (a - b) * (a - b), norm += a * a + b * b;
      }
  }
  return std::sqrt(difference / norm);
}

double resolution(const ExtrapolationSetting& s, std::size_t f, Index head) {
  const Encoding& used = s.used[f];
  if (const auto spectrum = feature_spectrum(used, head)) {
    double deficit = 0;
    const Pos last = s.sequence[f] - 1;
    one_minus_kappa(*spectrum, feature_lag(used, last, last - 1), {&deficit, 1});
    return std::sqrt(deficit);
  }
  return s.traits.kind == Kind::none ? 0.0 : neighbour_distance(reader_of(used, s.sequence[f]));
}

double distinct(const ExtrapolationSetting& s, std::size_t f, const LagsInUse& lags) {
  const Encoding& used = s.used[f];
  if (s.traits.kind == Kind::none) return 1 / static_cast<double>(s.sequence[f]);
  if (feature_spectrum(used, 0)) {
    std::vector<Spectrum> heads;
    for (Index head = 0; head < s.heads; ++head) heads.push_back(*feature_spectrum(used, head));
    return distinct_fraction(heads, lags);
  }
  if (no_features(used).empty())
    if (const Features phi = features(used, 0); const auto* classes = std::get_if<ClassFeatures>(&phi.form))
      return distinct_fraction(s, f, *classes);
  return distinct_fraction(s.heads, s.sequence[f], [&](Index head, std::span<double> bias) {
    lag_statistics(used, head, {0, s.sequence[f]})->score(0, bias);
  });
}

}  // namespace

void measure_attention(const ExtrapolationSetting& s, bool biases, ByHeadAndFactor& out) {
  for (Index head = 0; head < s.heads; ++head) {
    std::vector<double> logits(static_cast<std::size_t>(s.length));
    lag_statistics(s.trained, head, {0, s.length})->aligned(0, logits);
    const Attention trained(logits);
    const auto seen = biases ? bias_seen(s, head) : std::array<double, 2>{};
    for (std::size_t f = 0; f < s.factor.size(); ++f) {
      logits.resize(static_cast<std::size_t>(s.sequence[f]));
      const auto statistics = lag_statistics(s.used[f], head, {0, s.sequence[f]});
      statistics->aligned(0, logits);
      const Attention used(logits);
      const AttentionDrift d = attention_drift(trained, used, static_cast<double>(s.sequence[f]) / static_cast<double>(s.length));
      out["leak"].push_back(d.leak), out["entropy_drift"].push_back(d.entropy_drift);
      out["window_ratio"].push_back(d.window_ratio), out["total_variation_distance"].push_back(d.total_variation);
      if (!biases) continue;
      statistics->score(0, logits);
      out["unseen_fraction"].push_back(mass_outside(used, logits, seen[0], seen[1]));
    }
  }
}

void measure_codes(const ExtrapolationSetting& s, const ExtrapolationReasons& why, bool classes, ByHeadAndFactor& out) {
  std::vector<LagsInUse> lags;
  for (std::size_t f = 0; f < s.factor.size(); ++f) lags.emplace_back(s, f);
  for (Index head = 0; head < s.heads; ++head)
    for (std::size_t f = 0; f < s.factor.size(); ++f) {
      if (why.phases.empty()) measure_phases(s, lags[f], f, head, out);
      if (classes && why.unseen_fraction.empty()) {
        const Features trained = features(s.trained, head), used = features(s.used[f], head);
        out["unseen_fraction"].push_back(
            unseen_classes(s, f, std::get<ClassFeatures>(trained.form), std::get<ClassFeatures>(used.form)));
      }
      if (why.resolution.empty()) out["resolution"].push_back(resolution(s, f, head));
      if (why.distinct.empty() && head == 0) out["distinct_fraction"].push_back(distinct(s, f, lags[f]));
    }
}

void measure_tables(const ExtrapolationSetting& s, double noise_variance, Sink& sink) {
  const TableReader table = reader_of(s.trained, s.length);
  std::vector<std::string> words(table_policies.begin(), table_policies.end());
  std::vector<double> odd, tail, white;
  for (std::size_t p = 0; p < words.size(); ++p) {
    odd.push_back(reconstruction_error(table, static_cast<TablePolicy>(p), noise_variance));
    tail.push_back(reconstruction_error_tail(table, static_cast<TablePolicy>(p), noise_variance));
    white.push_back(reconstruction_error_white(table.rows, static_cast<TablePolicy>(p)));
  }
  sink.write_text("policy", 0, words);
  sink.write("reconstruction_error", 0, odd);
  sink.write("reconstruction_error_tail", 0, tail);
  sink.write("reconstruction_error_white", 0, white);
}

}  // namespace posenc::analyses
