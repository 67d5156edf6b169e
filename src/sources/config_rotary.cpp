#include "sources/config_rotary.hpp"

#include "sources/config_known.hpp"
#include "sources/config_layers.hpp"
#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"
#include "sources/dialect_vllm.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

using model::Pos;

/// rope_scaling or rope_parameters, as one dictionary or one for each layer type.
struct Dictionaries {
  std::optional<Scope> flat;
  std::vector<std::pair<std::string, Scope>> nested;
  const Scope* of(std::string_view layer) const {
    for (const auto& [name, scope] : nested)
      if (name == layer) return &scope;
    return nullptr;
  }
};

bool is_filled(const Json* v) { return v && v->kind == Json::Kind::object && !v->members.empty(); }

/// Of both schemas transformers, and with it vLLM, takes rope_scaling; llama.cpp (conversion/base.py) rope_parameters.
std::optional<Scope> chosen_dictionary(const Subject& s) {
  const Scope& text = s.text;
  const Json *old_schema = text.value("rope_scaling"), *new_schema = text.value("rope_parameters");
  for (const std::string_view key : {"rope_scaling", "rope_parameters"})
    if (text.value(key) && !text.object(key))
      continue;  // a wrong kind is an error, null is noted
    else if (text.has(key) && !is_filled(text.value(key)))
      text.mark(key, KeyStatus::used, "empty: no scaling");
  if (s.as(Dialect::llama_cpp) && is_filled(old_schema) && new_schema) {
    text.mark("rope_scaling", KeyStatus::conflicting, "rope_parameters decides, whole");
    text.ledger().warn("llama.cpp: rope_scaling is not used: rope_parameters is given too and replaces it whole");
    return is_filled(new_schema) ? text.object("rope_parameters") : std::nullopt;
  }
  if (is_filled(old_schema) && is_filled(new_schema)) {
    text.mark("rope_parameters", KeyStatus::conflicting, "rope_scaling decides, whole");
    text.ledger().warn("rope_parameters is not used: rope_scaling is given too and replaces it whole, as in transformers");
  }
  if (is_filled(old_schema)) return text.object("rope_scaling");
  return is_filled(new_schema) ? text.object("rope_parameters") : std::nullopt;
}

/// DeepSeek-V4's own names of its two rotations.
std::string layer_name(const std::string& name) {
  return name == "main" ? "sliding_attention" : name == "compress" ? "compressor" : name;
}

Dictionaries dictionaries(const Subject& s) {
  const Scope& text = s.text;
  Dictionaries out;
  const auto dict = chosen_dictionary(s);
  if (!dict) return out;
  std::vector<std::string> names, wrong;
  for (const auto& [name, value] : dict->members()) {
    if (value.kind != Json::Kind::object) continue;
    if (is_scaling_key(name)) {
      wrong.push_back(fmt::format("{} = {}: must not be an object", dict->path(name), json_brief(value)));
    } else if (out.nested.size() == most_layer_types) {
      text.ledger().error(fmt::format("{}: must name at most {} layer types", dict->path(name), most_layer_types));
      break;
    } else {
      out.nested.emplace_back(layer_name(name), *dict->object(name));
      names.push_back(name);
    }
  }
  if (const std::string line = unknown_layer_types(names); !line.empty())
    text.ledger().warn(fmt::format("{}{}", dict->path(""), line));
  if (out.nested.empty()) {
    out.flat = dict;
    return out;
  }
  for (const std::string& line : wrong) text.ledger().error(line);
  text.mark(original_key, KeyStatus::ignored, "does not reach into the layer types' dictionaries");
  for (const auto& [name, value] : dict->members())
    if (value.kind != Json::Kind::object && !name.starts_with('_')) {
      dict->mark(name, KeyStatus::ignored, "beside the layer types' own dictionaries");
      text.ledger().warn(fmt::format("{} is not used: {}the layer types have dictionaries of their own", dict->path(name),
                                     s.as(Dialect::vllm) ? "vLLM drops it, as " : ""));
    }
  return out;
}

/// Where a layer type's rotation is written, by family where the file's schema does not say it.
RopeSource source_of(const Subject& s, const Dictionaries& dicts, const std::string& layer) {
  const bool sliding = layer == "sliding_attention", local = sliding && s.family.local_base > 0;
  const bool modernbert = s.family.type.starts_with("modernbert"), gemma4 = s.family.type.starts_with("gemma4");
  RopeSource source;
  source.base_names = {"rope_theta", "rotary_emb_base", "theta"};
  source.base = s.family.base, source.partial = s.family.partial;
  if (const Scope* own = dicts.of(layer))
    source.dict = *own, source.nested = true;
  else
    source.dict = dicts.flat;
  if (local) source.base = s.family.local_base, source.base_names = {"rope_local_base_freq"};
  if (modernbert && local) source.base_names = {"local_rope_theta", "rope_local_base_freq"};
  if (modernbert && !local) source.base_names = {"global_rope_theta", "rope_theta"};
  const bool unscaled = sliding && (s.family.type.starts_with("gemma3") || s.is("olmo3") || s.is("deepseek_v4"));
  if (unscaled && !source.nested) source.dict.reset();
  if (s.is("deepseek_v4") && layer == "compressor") source.base = 160000, source.base_names = {"compress_rope_theta"};
  if (gemma4 && !source.dict && layer == "full_attention") source.type = "proportional", source.partial = 0.25;
  return source;
}

bool alike(const LayerReport& a, const LayerReport& b) {
  return a.rope_type == b.rope_type && a.encoding.scheme == b.encoding.scheme && a.encoding.values == b.encoding.values;
}

LayerReport without_rotation(const Subject& s, const LayerPlan& plan) {
  LayerReport layer;
  layer.name = plan.name, layer.rope_type = "none";
  if (plan.kind == LayerKind::no_attention) return layer;
  layer.encoding.scheme = "nope";
  if (const auto dim = head_dim(s)) layer.encoding.values.emplace_back("dim", std::to_string(*dim));
  layer.positions = positions(s);
  layer.at = trained_positions(s);
  layer.encoding.values.emplace_back("original", std::to_string(layer.at));
  return layer;
}

/// Layers without scaling of their own were trained at the length that the scaled ones name.
void share_training_length(std::vector<LayerReport>& layers) {
  Pos trained = layers[0].at;
  for (const LayerReport& l : layers)
    if (l.at > 0 && (trained == 0 || l.at < trained)) trained = l.at;
  for (LayerReport& l : layers) {
    if (l.encoding.scheme != "rope" && l.encoding.scheme != "m-rope" && l.encoding.scheme != "nope") continue;
    l.at = trained;
    for (auto& [field, value] : l.encoding.values)
      if (field == "original") value = std::to_string(trained);
  }
}

}  // namespace

void read_rotary(const Subject& s, ModelReport& report) {
  report.scheme = "rotary";
  const Dictionaries dicts = dictionaries(s);
  std::vector<LayerPlan> plans = layer_plans(s);
  const bool named = plans.size() > 1 || plans[0].name != "all";
  if (!named && !dicts.nested.empty()) {
    plans.clear();
    for (const auto& [name, scope] : dicts.nested) plans.push_back({name});
  }
  for (const auto& [name, scope] : dicts.nested)
    if (std::none_of(plans.begin(), plans.end(), [&layer = name](const LayerPlan& p) { return p.name == layer; }))
      s.text.ledger().warn(
          fmt::format("{}: the model has no layers of that type", scope.path("").substr(0, scope.path("").size() - 1)));
  for (const LayerPlan& plan : plans) {
    if (plan.kind != LayerKind::rotary) {
      report.layers.push_back(without_rotation(s, plan));
      report.layers.back().layers = plan.layers;
      continue;
    }
    const bool llama_cpp = s.as(Dialect::llama_cpp);
    if (!dicts.nested.empty() && !dicts.of(plan.name) && !llama_cpp)
      s.text.ledger().error(fmt::format("rope_parameters: has no dictionary for layer type {}", plan.name));
    const RopeSource own = source_of(s, dicts, plan.name);
    report.layers.push_back(
        rope_layer(s, plan.name, llama_cpp ? llama_cpp_source(s, plan.name, own, source_of(s, dicts, "full_attention")) : own));
    report.layers.back().layers = plan.layers;
  }
  if (s.as(Dialect::vllm)) share_vllm_length(report.layers);
  join_layers(report.layers, dicts.nested.empty());
}

void join_layers(std::vector<LayerReport>& layers, bool may_merge) {
  share_training_length(layers);
  if (may_merge && std::all_of(layers.begin(), layers.end(), [&](const LayerReport& l) { return alike(l, layers[0]); })) {
    for (std::size_t k = 1; k < layers.size(); ++k)
      layers[0].layers.insert(layers[0].layers.end(), layers[k].layers.begin(), layers[k].layers.end());
    std::sort(layers[0].layers.begin(), layers[0].layers.end());
    layers.resize(1);
    layers[0].name = "all";
  }
}

}  // namespace posenc::sources
