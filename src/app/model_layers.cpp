#include "app/model_layers.hpp"

#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "model/views/traits.hpp"

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

}  // namespace

void fill_frequencies(sources::ModelReport& report) {
  const Tables tables;
  for (auto& layer : report.layers) {
    if (layer.rope_type.empty() || layer.rope_type == "none") continue;
    const Entry entry = resolve(layer.encoding, {}, tables);
    const model::Encoding e = entry.scheme->lower(layer.long_above > 0 ? layer.long_above : layer.at);
    const auto* r = model::form<model::Rotary>(e);
    if (!r) continue;
    layer.attention_factor = r->attention_factor;
    layer.inv_freq = frequencies(*r);
    if (layer.long_above > 0) layer.inv_freq_long = frequencies_at(*entry.scheme, layer.long_above + 1);
    for (auto& at : layer.at_seq_len) at.inv_freq = frequencies_at(*entry.scheme, at.length);
  }
}

}  // namespace posenc::app
