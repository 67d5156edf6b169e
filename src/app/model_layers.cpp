#include "app/model_layers.hpp"

#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "model/views/score_gap.hpp"
#include "model/views/traits.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace posenc::app {
namespace {

/// rad/position of each pair; of an axis pair the one axis that turns it.
std::vector<double> frequencies(const model::Rotary& r) {
  std::vector<double> out;
  for (model::Index pair = 0; pair < r.pairs(); ++pair) {
    double theta = 0;
    for (model::Index axis = 0; axis < r.axes; ++axis) theta = std::max(theta, r.at(0, axis, pair).theta);
    out.push_back(theta);
  }
  return out;
}

std::vector<double> frequencies_at(const model::Scheme& scheme, model::Pos length) {
  const model::Encoding e = scheme.lower(length);
  const auto* r = model::form<model::Rotary>(e);
  return r ? frequencies(*r) : std::vector<double>{};
}

/// Of the rotation at the model's positions. The sum of cosines is searched over them, at most 2^24 cosines: milliseconds.
std::optional<sources::LayerBounds> bounds(const model::Scheme& scheme, const sources::LayerReport& layer) {
  constexpr model::Pos most_cosines = model::Pos{1} << 24;
  constexpr double turn = 2 * std::numbers::pi;
  const auto turning = turning_pairs(scheme.lower(model_positions(layer))), trained = turning_pairs(scheme.lower(0));
  if (!turning || turning->pairs() == 0 || !trained) return {};
  sources::LayerBounds out;
  out.trained = layer.at, out.turning = turning->theta.size();
  const auto [slowest, fastest] = std::minmax_element(turning->theta.begin(), turning->theta.end());
  out.shortest = turn / *fastest, out.longest = turn / *slowest;
  for (const double theta : trained->theta) out.slow += theta * static_cast<double>(layer.at) < turn;
  out.searched = std::min(model_positions(layer), most_cosines / turning->pairs());
  out.first_negative_lag = first_negative_lag(*turning, out.searched);
  return out;
}

}  // namespace

model::Pos model_positions(const sources::LayerReport& layer) { return layer.positions.value_or(layer.at); }

void fill_frequencies(sources::ModelReport& report) {
  const Tables tables;
  for (auto& layer : report.layers) {
    if (layer.rope_type.empty() || layer.rope_type == "none") continue;
    const Entry entry = resolve(layer.encoding, {}, tables);
    const model::Encoding e = entry.scheme->lower(layer.long_above > 0 ? layer.long_above : layer.at);
    const auto* r = model::form<model::Rotary>(e);
    if (!r) continue;
    layer.attention_factor = r->attention_factor;
    if (const double scale = e.logit_scale * std::sqrt(static_cast<double>(e.head_dim)); std::abs(scale - 1) > 1e-12)
      layer.softmax_factor = scale;
    layer.inv_freq = frequencies(*r);
    layer.bounds = bounds(*entry.scheme, layer);
    if (layer.long_above > 0) layer.inv_freq_long = frequencies_at(*entry.scheme, layer.long_above + 1);
    for (auto& at : layer.at_seq_len) at.inv_freq = frequencies_at(*entry.scheme, at.length);
  }
}

}  // namespace posenc::app
