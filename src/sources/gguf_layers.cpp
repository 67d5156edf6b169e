#include "sources/gguf_layers.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

using model::Pos;
using Flags = std::vector<bool>;

constexpr Pos most_layers = 4096;  // more than any model has

Pos layers_shown(const GgufSubject& s, Pos period) {
  return std::min(most_layers, s.keys.count(s.key("block_count")).value_or(std::max(period, Pos{1})));
}

/// A list of true and false, or of numbers that are 0 or not; nothing where the key is no list.
std::optional<Flags> listed(const GgufSubject& s, const std::string& key) {
  const Json* v = s.keys.value(key);
  if (!v || v->kind != Json::Kind::array) return {};
  const Json* layers = s.keys.value(s.key("block_count"));
  if (layers && layers->kind == Json::Kind::integer && layers->integer != static_cast<Pos>(v->items.size()))
    s.ledger().error(
        fmt::format("{}: has {} entries for {} layers: llama.cpp refuses such a file", key, v->items.size(), layers->integer));
  Flags out;
  for (const Json& item : v->items) {
    if (item.kind == Json::Kind::text) s.ledger().error(fmt::format("{}: holds {}: must be numbers", key, json_text(item)));
    out.push_back(item.kind == Json::Kind::boolean ? item.boolean : item.number != 0);
  }
  s.keys.mark(key, KeyStatus::used, "by layer");
  return out;
}

/// Every period-th layer is not set, the last of each period or the first.
Flags periodic(Pos layers, Pos period, bool first) {
  Flags out;
  for (Pos i = 0; i < layers; ++i) out.push_back(i % period != (first ? 0 : period - 1));
  return out;
}

/// Which layers slide; empty where none does.
Flags sliding(const GgufSubject& s) {
  const std::string pattern = s.key("attention.sliding_window_pattern"), window = s.key("attention.sliding_window");
  const auto width = s.keys.count(window, 0);
  if (s.keys.has(window))
    s.keys.mark(window, KeyStatus::used, "whether there are sliding layers; the window is not part of the encoding");
  if (auto flags = listed(s, pattern)) return *flags;
  const auto given = s.keys.count(pattern);
  if (s.family.period == 0 && !given) return {};
  if (width.value_or(0) == 0) return {};
  const Pos period = given.value_or(s.family.period);
  if (!given) s.keys.defaulted(pattern, std::to_string(period), fmt::format("of {} in llama.cpp", s.architecture));
  return periodic(layers_shown(s, period), period, s.family.full_first);
}

/// Which layers have attention; empty where all have.
Flags attending(const GgufSubject& s) {
  if (s.family.linear_period > 0) {
    const std::string key = s.key("full_attention_interval");
    const auto given = s.keys.count(key);
    const Pos period = given.value_or(s.family.linear_period);
    if (!given) s.keys.defaulted(key, std::to_string(period), fmt::format("of {} in llama.cpp", s.architecture));
    Flags out = periodic(layers_shown(s, period), period, false);
    out.flip();
    return out;
  }
  auto flags = listed(s, s.key("attention.head_count_kv"));
  return flags && std::find(flags->begin(), flags->end(), false) != flags->end() ? *flags : Flags{};
}

std::string name_of(const GgufSubject& s, const GgufLayer& layer, bool slides, bool gaps) {
  if (!layer.attends)
    return s.family.linear_period > 0 ? "linear_attention" : s.architecture.starts_with("lfm2") ? "conv" : "recurrent";
  if (s.family.still_every > 0) return layer.turns ? "rope" : "nope";
  if (layer.sliding) return s.is("llama4") ? "chunked_attention" : "sliding_attention";
  return slides || gaps ? "full_attention" : "all";
}

}  // namespace

std::vector<GgufLayer> gguf_layers(const GgufSubject& s) {
  const Flags slides = sliding(s), attends = attending(s);
  const Pos still = s.family.still_every;
  const Pos said = layer_count(s);
  const Pos patterned =
      std::max<Pos>({static_cast<Pos>(slides.size()), static_cast<Pos>(attends.size()), still > 0 ? layers_shown(s, still) : 0});
  const Pos count = patterned > 0 ? patterned : std::max<Pos>(1, said);
  std::vector<GgufLayer> out;
  for (Pos i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    GgufLayer layer;
    layer.sliding = at < slides.size() && slides[at];
    layer.attends = at >= attends.size() || attends[at];
    layer.turns = !(still > 0 && (i + 1) % still == 0) && !(s.family.still_full && !slides.empty() && !layer.sliding);
    layer.name = name_of(s, layer, !slides.empty(), !attends.empty());
    auto known = std::find_if(out.begin(), out.end(), [&](const GgufLayer& l) { return l.name == layer.name; });
    if (known == out.end()) known = out.insert(out.end(), std::move(layer));
    if (i < said) known->layers.push_back(i);
  }
  if (out.size() == 1 && out[0].attends) out[0].name = "all";
  return out;
}

}  // namespace posenc::sources
