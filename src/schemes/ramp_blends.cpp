#include "schemes/ramp.hpp"

#include <cmath>
#include <numbers>

namespace posenc::schemes {
namespace {

using model::Index;

/// Turns of models: YaRN's, Kimi K2's step, and what fine-tunings took.
constexpr std::pair<double, double> usual_turns[]{{32, 1}, {1, 1}, {64, 1}, {128, 1}, {16, 1}, {8, 1}, {4, 1}, {32, 2}};

/// Pair indices where the line through the pairs between kept and divided leaves 1 and meets the last ratio.
std::optional<std::pair<double, double>> ends(const std::vector<double>& ratio) {
  const double last = ratio.back();
  if (ratio.size() < 3 || last > 0.99 || std::abs(ratio[ratio.size() - 2] - last) > 1e-3 * last) return {};
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (std::size_t j = 0; j < ratio.size(); ++j) {
    const double share = (1 - ratio[j]) / (1 - last), at = static_cast<double>(j);
    if (share < 0.01 || share > 0.99) continue;
    n += 1, x += at, y += share, xx += at * at, xy += at * share;
  }
  const double slope = (n * xy - x * y) / (n * xx - x * x);
  if (n < 2 || !(slope > 0)) return {};
  const double low = (x - y / slope) / n;
  return std::pair(low, low + 1 / slope);
}

}  // namespace

std::vector<Blend> ramp_blends(double base, const std::vector<double>& ratio) {
  std::vector<Blend> out;
  const auto width = 2 * static_cast<Index>(ratio.size());
  const auto add = [&](const YarnRamp& r, double length) {
    Blend b{{{"original", plain_text(length)}}, {}};
    if (r.beta_fast != 32) b.values.emplace_back("beta-fast", number_text(r.beta_fast));
    if (r.beta_slow != 1) b.values.emplace_back("beta-slow", number_text(r.beta_slow));
    if (!r.truncate) b.values.emplace_back("truncate", "false");
    if (r.ramp == Ramp::paper) b.values.emplace_back("ramp", "paper");
    b.share = r.near_shares(base, width, static_cast<model::Pos>(length));
    out.push_back(std::move(b));
  };
  // A pair at index i turns `turns` times within turns 2 pi base^(2i/d) positions.
  const auto length_at = [&](double index, double turns) {
    return turns * 2 * std::numbers::pi * std::pow(base, 2 * index / static_cast<double>(width));
  };
  const auto between = ends(ratio);
  for (const auto& [fast, slow] : usual_turns) {
    YarnRamp ramp;
    ramp.beta_fast = fast, ramp.beta_slow = slow;
    for (const double length : usual_lengths()) add(ramp, length);
    if (between) {
      const double low = std::round(between->first), high = std::round(between->second);
      if (const auto length = round_length(std::max(length_at(low, fast), length_at(high - 1, slow) + 1),
                                           std::min(length_at(low + 1, fast), length_at(high, slow))))
        add(ramp, *length);
    }
    ramp.truncate = false;
    for (const double length : usual_lengths()) add(ramp, length);
    if (between) add(ramp, std::max(1.0, std::round(length_at(between->first, fast))));
  }
  YarnRamp paper;
  paper.ramp = Ramp::paper;
  for (const double length : usual_lengths()) add(paper, length);
  return out;
}

}  // namespace posenc::schemes
