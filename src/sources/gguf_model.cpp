#include "sources/gguf_model.hpp"

#include "sources/config_rotary.hpp"
#include "sources/gguf_forms.hpp"
#include "sources/gguf_query_scale.hpp"
#include "sources/gguf_rope.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::array tensors{factors_tensor, long_tensor, short_tensor, table_tensor, encoder_bias_tensor, decoder_bias_tensor};

/// The metadata, and the tensors of positions under their names.
Json ledger_keys(const GgufFile& file) {
  Json out = file.metadata;
  for (const std::string_view name : tensors)
    if (const GgufTensor* t = file.find(name); t && !out.find(name))
      out.members.emplace_back(name,
                               Json{.kind = Json::Kind::text, .text = fmt::format("tensor [{}]", fmt::join(t->shape, ", "))});
  return out;
}

std::string architecture(const Scope& keys) {
  const auto out = keys.word("general.architecture");
  if (!out && !keys.has("general.architecture")) keys.ledger().error("general.architecture: missing");
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  if (out && (out->empty() || out->size() > 64 || !std::all_of(out->begin(), out->end(), plain)))
    keys.ledger().error(
        fmt::format("general.architecture = {}: must be up to 64 letters, digits, - _ and .", json_string(brief(*out))));
  const auto type = keys.word("general.type");
  if (type && *type != "model") keys.ledger().error(fmt::format("general.type = {}: must be model", json_string(brief(*type))));
  if (out == "clip") keys.ledger().error("general.architecture = \"clip\": holds a vision model alone, no text model");
  return out.value_or("");
}

void rotary(const GgufSubject& s, ModelReport& report) {
  report.scheme = "rotary";
  for (const GgufLayer& kind : gguf_layers(s)) {
    if (kind.attends && kind.turns) {
      report.layers.push_back(gguf_rope_layer(s, kind));
      report.layers.back().layers = kind.layers;
      continue;
    }
    LayerReport still;
    still.name = kind.name, still.rope_type = "none", still.layers = kind.layers;
    if (kind.attends) gguf_nope(s, still);
    report.layers.push_back(std::move(still));
  }
  if (s.ledger().failed()) return;
  join_layers(report.layers, true);
  read_gguf_query_scale(s, report.layers);
}

void note_parts(const Scope& keys) {
  const auto parts = keys.count("split.count", 0);
  if (parts.value_or(1) > 1)
    keys.ledger().warn(fmt::format("split.count = {}: tensors of positions in the other files are not seen", *parts));
}

/// Keys about positions that other architectures read.
constexpr std::array<std::string_view, 21> others{"rope.freq_base",
                                                  "rope.freq_base_swa",
                                                  "rope.dimension_count",
                                                  "rope.dimension_count_swa",
                                                  "rope.dimension_sections",
                                                  "rope.scale_linear",
                                                  "rope.scaling.type",
                                                  "rope.scaling.factor",
                                                  "rope.scaling.attn_factor",
                                                  "rope.scaling.original_context_length",
                                                  "rope.scaling.finetuned",
                                                  "rope.scaling.yarn_log_multiplier",
                                                  "rope.scaling.yarn_ext_factor",
                                                  "rope.scaling.yarn_attn_factor",
                                                  "rope.scaling.yarn_beta_fast",
                                                  "rope.scaling.yarn_beta_slow",
                                                  "attention.sliding_window",
                                                  "attention.sliding_window_pattern",
                                                  "attention.max_alibi_bias",
                                                  "attention.relative_buckets_count",
                                                  "attention.alibi_bias_max"};

/// Keys of the architecture that look as if they said something about positions and that nothing has read.
void warn_of_unread(const GgufSubject& s) {
  for (const auto& [name, value] : s.keys.members()) {
    if (!name.starts_with(s.key("")) || s.ledger().touched(name)) continue;
    if (std::find(others.begin(), others.end(), name.substr(s.key("").size())) != others.end()) {
      s.keys.mark(name, KeyStatus::ignored, "without effect in this model");
      continue;
    }
    for (const std::string_view part : {".rope.", "position", "alibi", "sliding_window"})
      if (name.find(part) != std::string::npos) {
        s.keys.mark(name, KeyStatus::ignored, "not known here");
        s.ledger().warn(fmt::format("{} = {}: not known here, and not used", name, json_brief(value)));
        break;
      }
  }
}

}  // namespace

ModelReport read_gguf_model(const GgufFile& file) {
  ModelReport report;
  Ledger ledger(report);
  const Json listed = ledger_keys(file);
  const Scope keys(ledger, listed, "");
  report.model_type = architecture(keys);
  if (ledger.failed()) return report;
  const GgufFamily* family = gguf_family(report.model_type);
  const GgufSubject s{file, keys, report.model_type, family ? *family : GgufFamily{}};
  if (!family)
    ledger.warn(fmt::format("architecture \"{}\" is not known: rotation in half_split pairs is taken", report.model_type));
  note_parts(keys);
  const Kind kind = gguf_kind(s);
  if (kind == Kind::rotary)
    rotary(s, report);
  else
    read_gguf_form(s, kind, report);
  report.heads = attention_heads(s);
  if (report.layers.size() == 1 && report.layers[0].layers.empty())
    for (Pos i = 0; i < layer_count(s); ++i) report.layers[0].layers.push_back(i);
  warn_of_unread(s);
  if (ledger.failed()) report.layers.clear();
  return report;
}

}  // namespace posenc::sources
