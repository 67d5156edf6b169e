#include "analyses/extrapolation_coverage.hpp"

#include "math/parallel.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <unordered_set>

namespace posenc::analyses {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;
constexpr double phase_slack = 1e-9;  // rad

math::Turn forwards(const Spectrum& s, std::size_t j) { return s.theta[j] < 0 ? -s.turn[j] : s.turn[j]; }

/// The turn's 64 leading bits that stand for `radians`, at most a whole turn.
std::uint64_t leading_bits(double radians) {
  const double turns = radians / full_turn;
  return turns >= 1 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(std::ldexp(turns, 64));
}

bool returns(Pos s, math::Turn t) {
  const math::Turn phase = math::times(s, t), other = -phase;
  const math::Turn& near = phase.hi < other.hi ? phase : other;
  return near.hi == 0 && (near.lo >> 28) <= static_cast<std::uint64_t>(s);
}

/// Smallest s >= 1, below `limit`, at which every phase is 0; limit if none.
Pos period(const std::vector<Spectrum>& heads, Pos limit) {
  const auto undamped = [](const Spectrum& h) { return h.log_damping.empty(); };
  if (!std::all_of(heads.begin(), heads.end(), undamped)) return limit;
  for (Pos s = 1; s < limit; ++s)
    if (std::all_of(heads.begin(), heads.end(), [&](const Spectrum& h) {
          return std::all_of(h.turn.begin(), h.turn.end(), [&](math::Turn t) { return returns(s, t); });
        }))
      return s;
  return limit;
}

}  // namespace

LagsInUse::LagsInUse(const ExtrapolationSetting& setting, std::size_t f) : length(setting.length), sequence(setting.sequence[f]) {
  const Encoding& e = setting.used[f];
  const Pos last = sequence - 1;
  const bool plain = !e.pair_map && setting.traits.kind != Kind::relative;
  if (plain && (!e.visible || setting.traits.kind == Kind::table)) return;
  for (Pos s = 0; s < sequence; ++s) {
    const Pos lag = plain ? s : feature_lag(e, last, last - s);
    all.push_back(lag);
    if (s >= length && setting.visible(e, last, last - s)) beyond.push_back(lag);
  }
}

Pos LagsInUse::largest() const {
  if (all.empty()) return sequence - 1;
  const Pos within = *std::max_element(all.begin(), all.begin() + length);
  return beyond.empty() ? within : std::max(within, *std::max_element(beyond.begin(), beyond.end()));
}

double unseen_pairs(const Spectrum& trained, const Spectrum& used, const LagsInUse& lags) {
  const double L = static_cast<double>(lags.length), largest = static_cast<double>(lags.largest());
  Index unseen = 0;
  for (std::size_t j = 0; j < trained.theta.size(); ++j) {
    const double seen = L * std::abs(trained.theta[j]);
    unseen += seen < full_turn * (1 - 1e-13) && largest * std::abs(used.theta[j]) > seen * (1 + 1e-13);
  }
  return static_cast<double>(unseen) / static_cast<double>(trained.pairs());
}

double unseen_phase(const Spectrum& trained, const Spectrum& used, const LagsInUse& lags) {
  std::vector<std::int64_t> unseen(trained.theta.size());
  math::parallel_for(static_cast<std::int64_t>(unseen.size()), [&](std::int64_t pair) {
    const auto j = static_cast<std::size_t>(pair);
    const double seen = static_cast<double>(lags.length) * std::abs(trained.theta[j]);
    if (seen + phase_slack >= full_turn) return;
    const std::uint64_t low = leading_bits(seen + phase_slack), high = leading_bits(full_turn - phase_slack);
    const math::Turn turn = forwards(used, j);
    for (Pos i = 0; i < lags.count_beyond(); ++i) {
      const std::uint64_t phase = math::times(lags.beyond_at(i), turn).hi;
      unseen[j] += phase > low && phase < high;
    }
  });
  const std::int64_t sum = std::accumulate(unseen.begin(), unseen.end(), std::int64_t{0});
  return static_cast<double>(sum) / static_cast<double>(trained.pairs()) / static_cast<double>(lags.count_beyond());
}

double unseen_classes(const ExtrapolationSetting& setting, std::size_t f, const ClassFeatures& trained,
                      const ClassFeatures& used) {
  std::unordered_set<Pos> met;
  for (Pos n = 0; n < setting.length; ++n)
    if (setting.visible(setting.trained, setting.length - 1, n)) met.insert(trained.of(setting.length - 1, n));
  const Pos last = setting.sequence[f] - 1;
  std::int64_t unseen = 0, seen = 0;
  const auto is_seen = [&](Pos n) {
    const Pos number = used.of(last, n);
    return met.contains(number) && (!used.next_share || used.next_share(last, n) == 0 || met.contains(number + 1));
  };
  for (Pos s = setting.length; s <= last; ++s)
    if (setting.visible(setting.used[f], last, last - s)) ++(is_seen(last - s) ? seen : unseen);
  return static_cast<double>(unseen) / static_cast<double>(unseen + seen);
}

double distinct_fraction(const std::vector<Spectrum>& heads, const LagsInUse& lags) {
  const auto N = static_cast<double>(lags.sequence);
  const Pos repeat = period(heads, lags.sequence);
  if (lags.all.empty()) return static_cast<double>(repeat) / N;
  std::unordered_set<Pos> codes;
  for (const Pos s : lags.all) codes.insert(repeat < lags.sequence ? s % repeat : s);
  return static_cast<double>(codes.size()) / N;
}

double distinct_fraction(const ExtrapolationSetting& setting, std::size_t f, const ClassFeatures& used) {
  const Pos last = setting.sequence[f] - 1;
  std::vector<std::pair<Pos, double>> codes;
  for (Pos n = 0; n <= last; ++n) codes.emplace_back(used.of(last, n), used.next_share ? used.next_share(last, n) : 0.0);
  std::sort(codes.begin(), codes.end());
  return static_cast<double>(std::unique(codes.begin(), codes.end()) - codes.begin()) / static_cast<double>(last + 1);
}

double distinct_fraction(Index heads, Pos sequence, const std::function<void(Index head, std::span<double>)>& fill) {
  const auto N = static_cast<std::size_t>(sequence);
  std::vector<Pos> order(N);
  std::iota(order.begin(), order.end(), Pos{0});
  std::vector<char> starts(N);  // a code begins at this place of the order
  starts[0] = 1;
  std::vector<double> value(N);
  const auto codes = [&] { return static_cast<std::size_t>(std::count(starts.begin(), starts.end(), char{1})); };
  for (Index head = 0; head < heads && codes() < N; ++head) {
    fill(head, value);
    const auto at = [&](std::size_t i) { return value[static_cast<std::size_t>(order[i])]; };
    for (std::size_t first = 0, last; first < N; first = last) {
      for (last = first + 1; last < N && !starts[last]; ++last) {
      }
      std::sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.begin() + static_cast<std::ptrdiff_t>(last),
                [&](Pos a, Pos b) { return value[static_cast<std::size_t>(a)] < value[static_cast<std::size_t>(b)]; });
      for (std::size_t i = first + 1; i < last; ++i) starts[i] = at(i) - at(i - 1) > 1e-14;
    }
  }
  return static_cast<double>(codes()) / static_cast<double>(N);
}

}  // namespace posenc::analyses
