#include "sources/gguf_rope.hpp"

#include "sources/config_rope.hpp"
#include "sources/gguf_factors.hpp"
#include "sources/gguf_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

double base(const GgufSubject& s, bool sliding) {
  const std::string key = s.key("rope.freq_base"), local = s.key("rope.freq_base_swa");
  const auto usual = s.keys.number(key);
  if (sliding) {
    if (const auto own = s.keys.number(local)) return *own;
    if (s.family.sliding == Sliding::own_base) {
      s.keys.defaulted(local, "10000", fmt::format("of {} in llama.cpp", s.architecture));
      return 10000;
    }
  }
  if (usual) return *usual;
  s.keys.defaulted(key, "10000", "llama.cpp's default");
  s.ledger().warn(fmt::format("{}: not given: 10000, llama.cpp's default", key));
  return 10000;
}

/// Three sections of the axes; empty where there are none, or all pairs are of one.
std::vector<double> sections(const GgufSubject& s, GgufRotation& r) {
  const std::string key = s.key("rope.dimension_sections");
  auto list = s.keys.numbers(key);
  if (!list || std::all_of(list->begin(), list->end(), [](double v) { return v == 0; })) return {};
  double sum = 0;
  bool whole = list->size() == 3 || (list->size() == 4 && (*list)[3] == 0);
  for (const double v : *list) whole &= v >= 0 && v == std::floor(v), sum += v;
  if (!whole || sum != static_cast<double>(r.pairs())) {
    s.ledger().error(fmt::format("{} = {}: must be three whole numbers with sum {}, half the rotary dimension, and perhaps a 0",
                                 key, json_text(*s.keys.value(key)), r.pairs()));
    return {};
  }
  list->resize(3);
  r.layer.mrope_axis = section_axes(*list, r.pairs(), s.family.mixed_sections);
  return *list;
}

bool sizes(const GgufSubject& s, GgufRotation& r, bool sliding) {
  r.layer.positions = context_length(s);
  r.layer.head_dim = head_dim(s, sliding);
  if (!r.layer.head_dim || !r.layer.positions || s.ledger().failed()) return false;
  const Pos head = *r.layer.head_dim;
  r.width = rotary_dim(s, head, sliding).value_or(head);
  r.layer.rotary_dim = r.width;
  r.layer.partial = static_cast<double>(r.width) / static_cast<double>(head);
  if (head > widest_head)
    s.ledger().error(fmt::format("{} = {}: must be <= {}", s.key("attention.key_length"), head, widest_head));
  if (r.width > head || r.width % 2 != 0)
    s.ledger().error(
        fmt::format("{} = {}: must be even and at most the head's {}", s.key("rope.dimension_count"), r.width, head));
  if (!(*r.layer.base > 1))
    s.ledger().error(fmt::format("{} = {}: must be > 1", s.key("rope.freq_base"), plain_number(*r.layer.base)));
  return !s.ledger().failed();
}

}  // namespace

LayerReport gguf_rope_layer(const GgufSubject& s, const GgufLayer& kind) {
  LayerReport layer;
  layer.name = kind.name;
  layer.layout = s.family.interleaved ? "interleaved" : "half_split";
  layer.base = base(s, kind.sliding);
  GgufRotation r{s, layer};
  if (!sizes(s, r, kind.sliding)) return layer;
  r.set("dim", *layer.head_dim);
  r.set("base", *layer.base);
  if (r.width != *layer.head_dim) r.set("rotary-dim", r.width);
  r.set("layout", layer.layout);
  r.sections = sections(s, r);
  const bool unscaled = kind.sliding && s.family.sliding != Sliding::alike;
  if (!s.ledger().failed()) read_gguf_scaling(r, unscaled);
  return layer;
}

}  // namespace posenc::sources
