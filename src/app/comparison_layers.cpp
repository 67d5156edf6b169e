#include "app/comparison_layers.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

namespace posenc::app {
namespace {

using model::Pos;

/// The kind of every layer, as an index into the report's; empty where the file does not say all of them.
std::vector<std::size_t> kinds(const sources::ModelReport& model) {
  std::vector<std::size_t> out;
  for (std::size_t k = 0; k < model.layers.size(); ++k)
    for (const Pos i : model.layers[k].layers) {
      const auto at = static_cast<std::size_t>(i);
      if (at >= out.size()) out.resize(at + 1, model.layers.size());
      out[at] = k;
    }
  if (std::find(out.begin(), out.end(), model.layers.size()) != out.end()) out.clear();
  return out;
}

const sources::LayerReport* named(const sources::ModelReport& model, const std::string& name) {
  const auto at = std::find_if(model.layers.begin(), model.layers.end(), [&](const auto& l) { return l.name == name; });
  return at == model.layers.end() ? nullptr : &*at;
}

void add(LayerMatch& out, std::optional<std::size_t> x, std::optional<std::size_t> y) {
  const auto known = [&](const auto& p) { return p[0] == *x && p[1] == *y; };
  if (x && y && std::none_of(out.pairs.begin(), out.pairs.end(), known)) out.pairs.push_back({*x, *y});
}

/// Both files say what every layer is.
void by_layer(const Side& a, const Side& b, LayerMatch& out) {
  const auto x = kinds(*a.model), y = kinds(*b.model);
  const auto &p = a.model->layers, &q = b.model->layers;
  out.namesakes = true;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t k = 0; k < q.size(); ++k)
      if (p[i].name == q[k].name) add(out, a.spec_of(i), b.spec_of(k));
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
    const sources::LayerReport &l = p[x[i]], &m = q[y[i]];
    if (l.name == m.name) continue;
    out.namesakes = false;
    const bool namesakes = named(*b.model, l.name) && named(*a.model, m.name);
    const bool one_attends = l.encoding.scheme.empty() != m.encoding.scheme.empty();
    if (namesakes || one_attends) {
      if (!out.gap) out.gap = LayerGap{static_cast<Pos>(i), l.name, m.name};
      continue;
    }
    add(out, a.spec_of(x[i]), b.spec_of(y[i]));
  }
}

/// "full_attention" of "gemma-3.full_attention"; the whole label of an encoding that is no layer type.
std::string key(const Side& side, std::size_t spec) {
  if (const auto* layer = side.layer(spec)) return layer->name;
  const std::string& label = side.specs[spec].label;
  const auto dot = label.rfind('.');
  return dot == std::string::npos ? label : label.substr(dot + 1);
}

void by_name(const Side& a, const Side& b, LayerMatch& out) {
  const std::size_t n = a.specs.size(), m = b.specs.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < m; ++k)
      if (n == 1 || m == 1 || key(a, i) == key(b, k)) add(out, i, k);
  const auto met = [&](std::size_t side, std::size_t spec) {
    return std::any_of(out.pairs.begin(), out.pairs.end(), [&](const auto& p) { return p[side] == spec; });
  };
  for (std::size_t i = 0; i < n; ++i)
    if (!met(0, i)) out.unmatched.push_back(key(a, i) + ": only in the first");
  for (std::size_t k = 0; k < m; ++k)
    if (!met(1, k)) out.unmatched.push_back(key(b, k) + ": only in the second");
}

/// The last word of a key's path.
std::string_view last_word(std::string_view key) { return key.substr(key.rfind('.') + 1); }

Limits limits_of(const sources::ModelReport& model) {
  Limits out;
  for (const auto& layer : model.layers)
    if (layer.positions) out.positions = std::max(out.positions.value_or(0), *layer.positions);
  bool off = false;
  for (const auto& key : model.keys) {
    off |= last_word(key.key) == "use_sliding_window" && key.value == "false";
    Pos window = 0;
    const char* end = key.value.data() + key.value.size();
    if (last_word(key.key) == "sliding_window" && std::from_chars(key.value.data(), end, window).ptr == end && window > 0)
      out.window = window;
  }
  if (off) out.window.reset();
  return out;
}

}  // namespace

LayerMatch match_layers(const Side& a, const Side& b) {
  LayerMatch out;
  out.models = a.model && b.model;
  std::size_t first = 0, second = 0;
  if (out.models) {
    first = kinds(*a.model).size(), second = kinds(*b.model).size();
    if (first > 0) out.first = static_cast<Pos>(first);
    if (second > 0) out.second = static_cast<Pos>(second);
  }
  if (a.model) out.heads_first = a.model->heads, out.limits_first = limits_of(*a.model);
  if (b.model) out.heads_second = b.model->heads, out.limits_second = limits_of(*b.model);
  if (first > 0 && second > 0)
    by_layer(a, b, out);
  else
    by_name(a, b, out);
  if (out.pairs.empty()) throw UsageError(fmt::format("compare: {} and {} have no layer type in common", a.word, b.word));
  return out;
}

}  // namespace posenc::app
