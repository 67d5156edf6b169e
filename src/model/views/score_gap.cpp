#include "model/views/score_gap.hpp"

#include "core/sink.hpp"
#include "math/cosine_sum.hpp"
#include "math/lag_scan.hpp"

#include <algorithm>

namespace posenc::model {
namespace {

constexpr Pos first_block = 4096, largest_block = Pos{1} << 18;

}  // namespace

std::optional<Spectrum> turning_pairs(const Encoding& e) {
  Encoding later = e;
  for (Term& t : later.terms)
    if (auto* r = std::get_if<Rotary>(&t)) r->early_until = 0;
  const auto all = spectrum(later, 0);
  if (!all) return {};
  Spectrum out;
  for (std::size_t j = 0; j < all->turn.size(); ++j) {
    if (all->turn[j] == math::Turn{}) continue;
    out.turn.push_back(all->turn[j]), out.theta.push_back(all->theta[j]), out.amplitude.push_back(all->amplitude[j]);
    if (!all->log_damping.empty()) out.log_damping.push_back(all->log_damping[j]);
  }
  out.rotated = out.pairs();
  return out;
}

void score_gap(const Spectrum& turning, Pos first, std::span<double> out) {
  math::cosine_sum(turning.turn, std::vector<double>(turning.turn.size(), 1.0), turning.log_damping, first, out);
}

std::optional<Pos> first_negative_lag(const Spectrum& turning, Pos horizon) {
  const double tie = math::lag_tie * static_cast<double>(turning.pairs());
  std::vector<double> values;
  Pos size = first_block;
  for (Pos first = 0; first < horizon; first += size, size = std::min(2 * size, largest_block)) {
    throw_if_stop_requested();
    values.resize(static_cast<std::size_t>(std::min(size, horizon - first)));
    score_gap(turning, first, values);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (values[i] < -tie) return first + static_cast<Pos>(i);
  }
  return {};
}

}  // namespace posenc::model
