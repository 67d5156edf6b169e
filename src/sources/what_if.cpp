#include "sources/what_if.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::EncodingSpec;

constexpr double usual_base = 10000;

const std::string* value_of(const EncodingSpec& spec, std::string_view key) {
  for (const auto& [name, value] : spec.values)
    if (name == key) return &value;
  return nullptr;
}

bool rotary(const LayerReport& l) { return !l.rope_type.empty() && l.rope_type != "none" && !l.encoding.scheme.empty(); }

/// The plain rotation of the same channels: what is left of a scaled one.
EncodingSpec unscaled(const LayerReport& l) {
  constexpr std::array<std::string_view, 5> kept{"dim", "base", "rotary-dim", "layout", "original"};
  EncodingSpec out = l.encoding;
  out.scheme = "rope";
  std::erase_if(out.values, [&](const auto& v) { return std::find(kept.begin(), kept.end(), v.first) == kept.end(); });
  return out;
}

bool same(const EncodingSpec& a, const EncodingSpec& b) { return a.scheme == b.scheme && a.values == b.values; }

class Mistakes {
 public:
  Mistakes(ModelReport& report, const LayerReport& layer) : report_(report), layer_(layer) {}

  void add(std::string condition, EncodingSpec encoding) {
    if (!same(encoding, layer_.encoding))
      report_.what_if.push_back({.condition = std::move(condition), .layer = layer_.name, .encoding = std::move(encoding)});
  }
  void set(std::string condition, const std::string& key, const std::string& value) {
    add(std::move(condition), with_values(layer_.encoding, {{key, value}}));
  }

 private:
  ModelReport& report_;
  const LayerReport& layer_;
};

void of_rotation(ModelReport& report, const LayerReport& l) {
  Mistakes m(report, l);
  if (l.encoding.scheme != "rope" && l.encoding.scheme != "m-rope")
    m.add(fmt::format("the {} scaling were dropped", l.rope_type), unscaled(l));
  if (l.base && *l.base != usual_base) m.set("the base were ignored (10000)", "base", plain_number(usual_base));
  if (value_of(l.encoding, "rotary-dim") && l.rotary_dim != l.head_dim) {
    EncodingSpec whole = l.encoding;
    std::erase_if(whole.values, [](const auto& v) { return v.first == "rotary-dim"; });
    m.add("every channel of a head were turned", std::move(whole));
  }
  if (l.layout == "half_split") m.set("pairs were taken as (2i, 2i+1)", "layout", "interleaved");
  if (l.layout == "interleaved") m.set("pairs were taken as (i, i + d/2)", "layout", "half_split");
  if (const std::string* truncate = value_of(l.encoding, "truncate"); truncate && *truncate == "false")
    m.set("truncate were true", "truncate", "true");
}

/// Layer types whose rotation differs, each read as the first other.
void of_types(ModelReport& report, const LayerReport& l) {
  const auto other = std::find_if(report.layers.begin(), report.layers.end(), [&](const LayerReport& o) {
    return rotary(o) && o.name != l.name && !same(o.encoding, l.encoding);
  });
  if (other == report.layers.end() || l.encoding.scheme.empty()) return;
  Mistakes(report, l).add(fmt::format("these layers turned like {}", other->name), other->encoding);
}

/// Those that came with a warning: values of a layer that may have been joined with others since.
void complete(ModelReport& report) {
  for (WhatIf& w : report.what_if) {
    const auto layer =
        std::find_if(report.layers.begin(), report.layers.end(), [&](const LayerReport& l) { return l.name == w.layer; });
    const LayerReport& of = layer == report.layers.end() ? report.layers.front() : *layer;
    w.layer = of.name;
    if (w.encoding.scheme.empty()) w.encoding = with_values(of.encoding, w.values);
  }
}

}  // namespace

EncodingSpec with_values(EncodingSpec spec, const std::vector<std::pair<std::string, std::string>>& values) {
  for (const auto& given : values) {
    std::erase_if(spec.values, [&](const auto& v) { return v.first == given.first; });
    spec.values.push_back(given);
  }
  return spec;
}

void list_what_if(ModelReport& report) {
  if (report.layers.empty()) return report.what_if.clear();
  complete(report);
  for (const LayerReport& l : report.layers) {
    if (rotary(l)) of_rotation(report, l);
    of_types(report, l);
  }
}

}  // namespace posenc::sources
