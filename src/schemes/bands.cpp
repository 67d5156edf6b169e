#include "schemes/bands.hpp"

#include "core/sink.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::schemes {

using model::Observation;
using model::Proposal;

namespace {

constexpr std::size_t kept = 6;
constexpr double fits = 0.02;  // mean relative distance beyond which a blend is no guess

/// Texts of bases under which a leading or trailing run of pairs is geometric.
std::vector<std::string> base_words(const Observation& seen) {
  std::vector<std::string> out;
  const std::size_t last = seen.frequency.size() - 1;
  const auto add = [&](const std::optional<Geometric>& g) {
    if (!g) return;
    for (std::string& word : near_base(g->base, g->base_off))
      if (std::find(out.begin(), out.end(), word) == out.end()) out.push_back(std::move(word));
  };
  for (const std::size_t k : {1, 2, 3, 5, 8, 12, 18, 27})
    if (k < last) add(geometric_fit(seen, 0, k, true));
  for (const std::size_t k : {1, 2, 4, 8, 16})
    if (k < last) add(geometric_fit(seen, last - k, last, false));
  return out;
}

struct Guess {
  double distance;
  Proposal proposal;
};

/// 1 - 1/factor by least squares.
double divided(const std::vector<double>& share, const std::vector<double>& ratio) {
  double over = 0, under = 0;
  for (std::size_t j = 0; j < share.size(); ++j) over += share[j] * (1 - ratio[j]), under += share[j] * share[j];
  return under > 0 ? over / under : 0;
}

}  // namespace

std::vector<Proposal> banded(const char* scheme, const Observation& seen, const Blends& blends,
                             const std::function<Values(double factor)>& more) {
  std::vector<Guess> guesses;
  if (seen.frequency.size() < 4 || !(*std::min_element(seen.frequency.begin(), seen.frequency.end()) > 0)) return {};
  for (const std::string& base_word : base_words(seen)) {
    throw_if_stop_requested();
    const double base = parse_number("base", base_word);
    const std::vector<double> whole = plain(seen, base);
    std::vector<double> ratio;
    for (std::size_t j = 0; j < whole.size(); ++j) ratio.push_back(seen.frequency[j] / whole[j]);
    const auto slack = [&](std::size_t j) { return seen.uncertainty[j] / whole[j]; };
    bool falls = ratio.front() <= 1.02 + slack(0) && ratio.back() < 0.9999 * ratio.front();
    for (std::size_t j = 1; j < ratio.size(); ++j) falls = falls && ratio[j] <= 1.01 * ratio[j - 1] + slack(j - 1) + slack(j);
    if (!falls) continue;
    for (const Blend& blend : blends(base, ratio)) {
      const double part = divided(blend.share, ratio);
      if (!(part > 1e-3 && part < 1)) continue;
      for (const std::string& word : near_factor(1 / (1 - part), 0.02)) {
        const double factor = parse_number("factor", word);
        std::vector<double> thetas;
        for (std::size_t j = 0; j < whole.size(); ++j) thetas.push_back(whole[j] * (1 - blend.share[j] * (1 - 1 / factor)));
        const double off = distance(seen, thetas);
        if (off > fits) continue;
        Values values{{"base", base_word}, {"factor", word}};
        values.insert(values.end(), blend.values.begin(), blend.values.end());
        const Values last = more ? more(factor) : Values{};
        values.insert(values.end(), last.begin(), last.end());
        guesses.push_back({off, rotary_proposal(scheme, seen, std::move(values))});
      }
    }
  }
  // Rounding of frequencies makes guesses equal: of those the first, with the fewer values.
  std::stable_sort(guesses.begin(), guesses.end(),
                   [](const Guess& a, const Guess& b) { return std::floor(a.distance / 1e-9) < std::floor(b.distance / 1e-9); });
  std::vector<Proposal> out;
  for (Guess& g : guesses)
    if (out.size() < kept) out.push_back(std::move(g.proposal));
  return out;
}

double share_of_turns(double turns, double low, double high) {
  return high > low ? 1 - std::clamp((turns - low) / (high - low), 0.0, 1.0) : turns > high ? 0 : 1;
}

std::optional<double> length_of_turns(const std::vector<double>& plain, const std::vector<double>& ratio, double low,
                                      double high) {
  const double last = ratio.back();
  if (ratio.size() < 2 || high <= low || std::abs(ratio[ratio.size() - 2] - last) > 1e-3 * last || last > 0.99) return {};
  std::vector<double> found;
  for (std::size_t j = 0; j < ratio.size(); ++j) {
    const double kept = (ratio[j] - last) / (1 - last);
    if (kept > 0.05 && kept < 0.95) found.push_back((low + kept * (high - low)) * 2 * std::numbers::pi / plain[j]);
  }
  if (found.empty()) return {};
  std::nth_element(found.begin(), found.begin() + std::ssize(found) / 2, found.end());
  const double length = std::round(found[found.size() / 2]);
  return length >= 1 ? std::optional(length) : std::nullopt;
}

std::optional<double> round_length(double low, double high) {
  for (double unit = 0x1p20; unit >= 1; unit /= 2)
    if (const double n = std::ceil(low / unit); n * unit <= high && n <= 16) return n * unit;
  for (double unit = 1e6; unit >= 1; unit /= 10)
    if (const double n = std::ceil(low / unit); n * unit <= high && n <= 9999) return n * unit;
  return {};
}

}  // namespace posenc::schemes
