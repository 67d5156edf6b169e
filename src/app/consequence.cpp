#include "app/consequence.hpp"

#include "app/model_layers.hpp"
#include "app/subjects.hpp"
#include "app/table.hpp"
#include "app/tables.hpp"
#include "core/error.hpp"
#include "model/views/rotation_gap.hpp"
#include "model/views/traits.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::app {
namespace {

using model::Pos;
using sources::Consequence;

/// The pair that a channel belongs to, or the channel where the rotation leaves it alone.
std::string name_of(model::Index channel, const model::Encoding& e) {
  if (const auto* r = model::form<model::Rotary>(e))
    for (model::Index j = 0; j < r->pairs(); ++j)
      for (const model::Index c : r->channel[static_cast<std::size_t>(j)])
        if (c == channel) return fmt::format("pair {}", j);
  return fmt::format("channel {}", channel);
}

std::optional<Consequence> consequence(const model::Encoding& real, const model::Encoding& other, Pos positions) {
  const model::RotationGap gap = rotation_gap(real, other, positions - 1);
  Consequence out;
  out.in_use = positions;
  out.score_ratio = gap.score_ratio;
  if (gap.channel < 0) return std::abs(out.score_ratio - 1) > 1e-12 ? std::optional(out) : std::nullopt;
  out.channels = name_of(gap.channel, real);
  if (gap.quarter_turn_at() < positions) out.quarter_turn = gap.quarter_turn_at();
  out.largest = std::min(0.5, gap.speed * static_cast<double>(positions - 1));
  out.share = static_cast<double>(gap.quarter_off) / static_cast<double>(gap.turning);
  return out;
}

}  // namespace

void fill_consequences(sources::ModelReport& report) {
  const Tables tables;
  for (auto& w : report.what_if) {
    const auto layer = std::find_if(report.layers.begin(), report.layers.end(), [&](const auto& l) { return l.name == w.layer; });
    if (layer == report.layers.end()) continue;
    try {
      const Entry real = resolve(layer->encoding, {}, tables), other = resolve(w.encoding, {}, tables);
      for (const Pos in_use : {model_positions(*layer), layer->at})
        if (!w.consequence && in_use > 0)
          w.consequence = consequence(real.scheme->lower(in_use), other.scheme->lower(in_use), in_use);
    } catch (const Error& e) {  // no encoding: of a tool's reading, why there is none
      for (auto& t : report.tools)
        if (t.name == w.tool && t.refuses.empty()) t.refuses = e.what();
    }
  }
  std::erase_if(report.what_if, [](const auto& w) { return !w.consequence; });
}

std::string words(const Consequence& c) {
  std::string out;
  if (c.quarter_turn)
    out = fmt::format("{} is a quarter turn off from position {} on, {:.0f} % of the turning channels by position {}", c.channels,
                      *c.quarter_turn, 100 * c.share, c.in_use - 1);
  else if (!c.channels.empty())
    out = fmt::format("{} is {} of a turn off at position {}", c.channels, readable(c.largest), c.in_use - 1);
  if (std::abs(c.score_ratio - 1) > 1e-12)
    out += fmt::format("{}scores of turning channels x {}", out.empty() ? "" : "; ", readable(c.score_ratio));
  return out;
}

}  // namespace posenc::app
