#include "sources/gguf_forms.hpp"

#include <fmt/format.h>

namespace posenc::sources {
namespace {

using model::Pos;

void set(LayerReport& layer, std::string_view field, std::string text) {
  layer.encoding.values.emplace_back(field, std::move(text));
}
void set(LayerReport& layer, std::string_view field, const std::optional<Pos>& value) {
  if (value) set(layer, field, std::to_string(*value));
}
void trained(const GgufSubject& s, LayerReport& layer) {
  const auto length = context_length(s);
  set(layer, "original", length);
  layer.at = length.value_or(0);
}

LayerReport learned(const GgufSubject& s) {
  LayerReport layer;
  layer.name = "all", layer.encoding.scheme = "learned";
  if (const GgufTensor* table = s.tensor(table_tensor, "the table")) {
    gguf_array(s.file, *table);  // refused here rather than in every run
    set(layer, "table", fmt::format("{}#{}", s.file.path, table_tensor));
  } else {
    s.ledger().warn(fmt::format("{}: not in the file: a table is drawn", table_tensor));
    set(layer, "dim", model_width(s));
    set(layer, "rows", context_length(s));
    set(layer, "init", s.is("bert") ? "bert" : "gpt2");
  }
  trained(s, layer);
  return layer;
}

LayerReport alibi(const GgufSubject& s) {
  LayerReport layer;
  layer.name = "all", layer.encoding.scheme = "alibi";
  set(layer, "dim", head_dim(s));
  set(layer, "heads", heads(s));
  const std::string key = s.key("attention.max_alibi_bias");
  const auto most = s.keys.number(key);
  if (most && !(*most > 0)) s.ledger().error(fmt::format("{} = {}: must be > 0", key, plain_number(*most)));
  if (most && *most != 8) set(layer, "bias-max", plain_number(*most));
  if (!most) s.keys.defaulted(key, "8", "llama.cpp's default");
  if (s.is("jina-bert-v2")) set(layer, "sides", "symmetric");
  trained(s, layer);
  return layer;
}

/// The bias of one side of T5; its distance is fixed in the code.
LayerReport t5(const GgufSubject& s, bool encoder) {
  LayerReport layer;
  layer.name = encoder ? "encoder" : "decoder", layer.encoding.scheme = "t5";
  set(layer, "dim", head_dim(s));
  const auto buckets = s.keys.count(s.key("attention.relative_buckets_count"));
  const std::string_view name = encoder ? encoder_bias_tensor : decoder_bias_tensor;
  if (const GgufTensor* table = s.tensor(name, "the biases")) {
    gguf_array(s.file, *table);
    set(layer, "table", fmt::format("{}#{}", s.file.path, name));
  } else {
    set(layer, "heads", heads(s));
  }
  set(layer, "buckets", buckets.value_or(32));
  if (!buckets) s.keys.defaulted(s.key("attention.relative_buckets_count"), "32", "T5's");
  set(layer, "max-distance", Pos{128});
  set(layer, "bidirectional", encoder ? "true" : "false");
  trained(s, layer);
  return layer;
}

}  // namespace

Kind gguf_kind(const GgufSubject& s) {
  const bool table = s.file.find(table_tensor) != nullptr;
  const bool known = !s.family.architecture.empty();
  if (s.is("baichuan") && s.keys.count(s.key("block_count")) == 40) {
    s.keys.mark(s.key("block_count"), KeyStatus::used, "the 13B models, of 40 layers, have ALiBi, the others rotation");
    return Kind::alibi;
  }
  if (s.is("mpt") && !(s.keys.number(s.key("attention.max_alibi_bias")).value_or(0) > 0))
    return table ? Kind::learned : Kind::none;
  return table && !known ? Kind::learned : s.family.kind;
}

void gguf_nope(const GgufSubject& s, LayerReport& layer) {
  layer.encoding.scheme = "nope";
  set(layer, "dim", head_dim(s));
  trained(s, layer);
}

void read_gguf_form(const GgufSubject& s, Kind kind, ModelReport& report) {
  switch (kind) {
    case Kind::learned:
      report.scheme = "learned";
      return report.layers.push_back(learned(s));
    case Kind::alibi:
      report.scheme = "alibi";
      return report.layers.push_back(alibi(s));
    case Kind::t5:
      report.scheme = "t5_bucket";
      report.layers.push_back(t5(s, true));
      if (!s.is("t5encoder")) report.layers.push_back(t5(s, false));
      return;
    case Kind::none:
      report.scheme = "none";
      report.layers.emplace_back().name = "all";
      return gguf_nope(s, report.layers.back());
    default:
      report.scheme = "none";
  }
}

}  // namespace posenc::sources
