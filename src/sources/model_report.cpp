#include "sources/model_report.hpp"

#include "sources/json.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <array>
#include <cmath>

namespace posenc::sources {
namespace {

/// JSON has no infinity.
std::string json_number(double value) { return std::isfinite(value) ? plain_number(value) : "null"; }

std::string list(const std::vector<double>& values) {
  std::string out;
  for (const double v : values) out += (out.empty() ? "" : ", ") + json_number(v);
  return "[" + out + "]";
}

std::string list(const std::vector<model::Pos>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

std::string strings(const std::vector<std::string>& values) {
  std::string out;
  for (const std::string& v : values) out += (out.empty() ? "" : ", ") + json_string(v);
  return "[" + out + "]";
}

/// Members "name": value of one object, in order.
class Members {
 public:
  void add(std::string_view name, const std::string& json) {
    out_ += fmt::format("{}{}: {}", out_.empty() ? "" : ", ", json_string(name), json);
  }
  template <class Number>
  void add_number(std::string_view name, const std::optional<Number>& value) {
    if (value) add(name, json_number(static_cast<double>(*value)));
  }
  std::string object() const { return "{" + out_ + "}"; }

 private:
  std::string out_;
};

std::string at_lengths(const std::vector<AtLength>& lengths) {
  Members m;
  for (const AtLength& a : lengths) {
    Members one;
    one.add_number("base_used", std::optional(a.base));
    one.add("inv_freq", list(a.inv_freq));
    m.add(std::to_string(a.length), one.object());
  }
  return m.object();
}

std::string bounds_json(const LayerBounds& b) {
  Members m;
  m.add_number("trained", std::optional(b.trained));
  m.add_number("pairs_turning", std::optional(b.turning));
  m.add_number("pairs_below_one_turn", std::optional(b.slow));
  m.add_number("shortest_wavelength", std::optional(b.shortest));
  m.add_number("longest_wavelength", std::optional(b.longest));
  m.add("first_negative_lag", b.first_negative_lag ? std::to_string(*b.first_negative_lag) : "null");
  m.add_number("lags_searched", std::optional(b.searched));
  return m.object();
}

std::string layer_json(const LayerReport& l) {
  Members m;
  m.add("rope_type", json_string(l.rope_type));
  if (!l.layers.empty()) m.add("layer_indices", list(l.layers));
  if (l.rope_type == "none") return m.object();
  m.add_number("base", l.base);
  m.add_number("base_used", l.base_used);
  m.add_number("head_dim", l.head_dim);
  m.add_number("rotary_dim", l.rotary_dim);
  m.add_number("partial_rotary_factor", l.partial);
  m.add("layout", json_string(l.layout));
  m.add_number("max_position_embeddings", l.positions);
  m.add_number("attention_factor", std::optional(l.attention_factor));
  if (l.softmax_factor != 1) m.add_number("softmax_factor", std::optional(l.softmax_factor));
  if (l.bounds) m.add("bounds", bounds_json(*l.bounds));
  m.add("inv_freq", list(l.inv_freq));
  if (!l.inv_freq_long.empty()) m.add("inv_freq_long", list(l.inv_freq_long));
  if (l.long_above > 0) m.add_number("switch_when_seq_len_greater_than", std::optional(l.long_above));
  if (!l.at_seq_len.empty()) m.add("at_seq_len", at_lengths(l.at_seq_len));
  if (!l.mrope_axis.empty()) m.add("mrope_axis", json_string(l.mrope_axis));
  return m.object();
}

std::string keys_json(const std::vector<KeyReport>& keys) {
  static constexpr std::array<std::string_view, 5> words{"used", "defaulted", "ignored", "overridden", "conflicting"};
  std::string out;
  for (const KeyReport& k : keys) {
    Members m;
    m.add("key", json_string(k.key));
    m.add("value", k.value);
    m.add("status", json_string(words[static_cast<std::size_t>(k.status)]));
    m.add("note", json_string(k.note));
    out += (out.empty() ? "" : ", ") + m.object();
  }
  return "[" + out + "]";
}

std::string what_if_json(const WhatIf& w) {
  Members m;
  m.add("condition", json_string(w.condition));
  m.add("layer", json_string(w.layer));
  m.add("encoding", json_string(encoding_text(w.encoding)));
  m.add("warning", w.warning ? std::to_string(*w.warning) : "null");
  if (!w.consequence) return m.object();
  const Consequence& c = *w.consequence;
  m.add_number("in_use", std::optional(c.in_use));
  m.add("parts_fastest", c.channels.empty() ? "null" : json_string(c.channels));
  m.add("quarter_turn_at", c.quarter_turn ? std::to_string(*c.quarter_turn) : "null");
  m.add_number("turns_at_last_position", std::optional(c.largest));
  m.add_number("share_of_channels", std::optional(c.share));
  m.add_number("score_ratio", std::optional(c.score_ratio));
  return m.object();
}

}  // namespace

std::string plain_number(double value) {
  const bool whole = value == std::floor(value) && std::abs(value) < 0x1p53;
  return whole ? std::to_string(static_cast<std::int64_t>(value)) : number_text(value);
}

std::string encoding_text(const model::EncodingSpec& spec) {
  std::string out = spec.scheme;
  for (const auto& [name, value] : spec.values) out += (out.size() == spec.scheme.size() ? ":" : ",") + name + "=" + value;
  return out;
}

std::string to_json(const ModelReport& report) {
  Members layers, encodings, all;
  for (const LayerReport& l : report.layers) {
    if (!l.rope_type.empty()) layers.add(l.name, layer_json(l));
    if (!l.encoding.scheme.empty()) encodings.add(l.name, json_string(encoding_text(l.encoding)));
  }
  all.add("model_type", json_string(report.model_type));
  all.add("dialect", report.dialect.empty() ? "null" : json_string(report.dialect));
  all.add("scheme", json_string(report.scheme));
  all.add("layers", layers.object());
  all.add("encodings", encodings.object());
  all.add("keys", keys_json(report.keys));
  all.add("warnings", strings(report.warnings));
  all.add("errors", strings(report.errors));
  std::string readings;
  for (const WhatIf& w : report.what_if) readings += (readings.empty() ? "" : ", ") + what_if_json(w);
  all.add("what_if", "[" + readings + "]");
  Members tools;
  for (const OtherTool& t : report.tools) {
    Members one;
    one.add("refuses", t.refuses.empty() ? "null" : json_string(t.refuses));
    one.add("model_known", t.known ? "true" : "false");
    tools.add(t.name, one.object());
  }
  all.add("tools", tools.object());
  return all.object();
}

}  // namespace posenc::sources
