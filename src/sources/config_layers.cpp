#include "sources/config_layers.hpp"

#include "sources/config_known.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;
using Names = std::vector<std::string>;

constexpr Pos most_layers = 4096;  // more than any model has

constexpr std::array<std::string_view, 7> without_attention{"linear_attention", "conv",      "short_conv", "mamba",
                                                            "mamba2",           "recurrent", "rwkv"};

bool one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Layers of the model, or no more than one period of a pattern.
Pos shown(const Subject& s, Pos period) {
  return std::min({period, s.text.count("num_hidden_layers").value_or(period), most_layers});
}

/// A list by layer must reach as far as the model; what is beyond is not read.
std::size_t listed_layers(const Subject& s, std::string_view key, std::size_t size) {
  const auto layers = s.text.count("num_hidden_layers");
  if (!layers || size == 0 || static_cast<Pos>(size) == *layers) return size;
  const std::string line = fmt::format("{}: has {} entries for {} layers", s.text.path(key), size, *layers);
  if (static_cast<Pos>(size) < *layers) return s.text.ledger().error(line + ": must have one a layer"), size;
  s.text.ledger().warn(line + ": the first are used");
  return static_cast<std::size_t>(*layers);
}

/// Every period-th layer from `first` on is `rare`, the others `common`.
Names alternating(const Subject& s, Pos period, Pos first, std::string_view rare, std::string_view common) {
  Names out;
  for (Pos i = 0; i < shown(s, period); ++i) out.emplace_back(i % period == first ? rare : common);
  return out;
}

Names sliding(const Subject& s, Pos otherwise) {
  constexpr std::string_view key = "sliding_window_pattern";
  const Json* pattern = s.text.value(key);
  if (!pattern || pattern->kind != Json::Kind::text || !s.is("exaone4")) {
    const auto given = s.text.count(key);
    if (!given) s.text.defaulted(key, std::to_string(otherwise), fmt::format("class default of {}", s.family.type));
    const Pos period = given.value_or(otherwise);
    return alternating(s, period, period - 1, "full_attention", "sliding_attention");
  }
  s.text.mark(key, KeyStatus::used, "L sliding, G full, repeated");
  Names out;
  if (pattern->text.empty() || pattern->text.find_first_not_of("LG") != std::string::npos)
    return s.text.ledger().error(fmt::format("{} = {}: must be L and G alone", s.text.path(key), json_brief(*pattern))), out;
  for (const char c : pattern->text.substr(0, static_cast<std::size_t>(shown(s, most_layers))))
    out.emplace_back(c == 'G' ? "full_attention" : "sliding_attention");
  return out;
}

/// no_rope_layers: 1 where a layer turns. Llama 4 takes an empty list for none given.
std::vector<bool> turning(const Subject& s) {
  const auto given = s.text.numbers("no_rope_layers");
  std::vector<bool> out;
  if (given && !(given->empty() && s.is("llama4_text"))) {
    const std::string path = s.text.path("no_rope_layers");
    if (given->empty()) return s.text.ledger().error(path + " = []: must have one number a layer, or be null"), std::vector{true};
    s.text.mark("no_rope_layers", KeyStatus::used, "1: the layer turns, 0: NoPE");
    for (const double v : *given) {
      if (v != 0 && v != 1)
        s.text.ledger().error(fmt::format("{} = {}: must be 1 for a layer that turns, or 0", path, plain_number(v)));
      out.push_back(v != 0);
    }
    out.resize(listed_layers(s, "no_rope_layers", out.size()));
    return out;
  }
  const auto interval = s.text.count("no_rope_layer_interval");
  if (!interval) s.text.defaulted("no_rope_layer_interval", "4", fmt::format("class default of {}", s.family.type));
  for (Pos i = 0; i < shown(s, interval.value_or(4)); ++i) out.push_back((i + 1) % interval.value_or(4) != 0);
  return out;
}

Names compressing(const Subject& s) {
  const auto ratios = s.text.numbers("compress_ratios");
  if (!ratios) return {"sliding_attention", "compressor"};
  Names out;
  for (const double r : *ratios) out.emplace_back(r == 0 ? "sliding_attention" : "compressor");
  return out;
}

Names convolving(const Subject& s) {
  const auto attending = s.text.numbers("full_attn_idxs");
  const auto layers = s.text.count("num_hidden_layers");
  if (!attending || !layers) return {};
  Names out(static_cast<std::size_t>(std::min(*layers, Pos{4096})), "conv");
  for (const double i : *attending)
    if (i >= 0 && i < static_cast<double>(out.size())) out[static_cast<std::size_t>(i)] = "full_attention";
  return out;
}

/// The type of every layer where the file does not list them.
Names family_types(const Subject& s) {
  const auto starts = [&](std::string_view prefix) { return s.family.type.starts_with(prefix); };
  const bool windowed = s.text.has("sliding_window") || !s.text.value("sliding_window");
  if (starts("gemma3") || starts("gemma4")) return sliding(s, starts("gemma3n") ? 5 : 6);
  if (s.is("cohere2") || s.is("exaone4")) return windowed ? sliding(s, 4) : Names{};
  if (s.is("olmo3")) return sliding(s, 4);
  if (starts("modernbert")) {
    const auto every = s.text.count("global_attn_every_n_layers");
    if (!every) s.text.defaulted("global_attn_every_n_layers", "3", "class default of modernbert");
    return alternating(s, every.value_or(3), 0, "full_attention", "sliding_attention");
  }
  if (starts("qwen3_next") || starts("qwen3_5")) {
    const auto every = s.text.count("full_attention_interval");
    if (!every) s.text.defaulted("full_attention_interval", "4", fmt::format("class default of {}", s.family.type));
    return alternating(s, every.value_or(4), every.value_or(4) - 1, "full_attention", "linear_attention");
  }
  if (starts("lfm2")) return convolving(s);
  if (s.is("deepseek_v4")) return compressing(s);
  return {};
}

LayerKind kind_of(const Subject& s, const std::string& type, const Names& types) {
  if (one_of(type, without_attention)) return LayerKind::no_attention;
  const bool also_sliding = std::find(types.begin(), types.end(), "sliding_attention") != types.end();
  if ((s.is("cohere2") || s.is("exaone4")) && type == "full_attention" && also_sliding) return LayerKind::nope;
  return LayerKind::rotary;
}

void add(std::vector<LayerPlan>& plans, const std::string& name, LayerKind kind) {
  if (std::none_of(plans.begin(), plans.end(), [&](const LayerPlan& p) { return p.name == name; })) plans.push_back({name, kind});
}

/// Which layers each plan is for, of the types of all layers or of one period.
void place(const Subject& s, const Names& types, bool listed, std::vector<LayerPlan>& plans) {
  const Pos said = layer_count(s), size = static_cast<Pos>(types.size());
  const Pos count = !listed ? said : said == 0 ? size : std::min(said, size);
  for (Pos i = 0; i < count && size > 0; ++i)
    for (LayerPlan& p : plans)
      if (p.name == types[static_cast<std::size_t>(i % size)]) p.layers.push_back(i);
}

/// Layer types do not tell turning from NoPE layers in these families; no_rope_layers does.
std::vector<LayerPlan> no_rope_plans(const Subject& s) {
  const bool llama4 = s.is("llama4_text");
  std::vector<LayerPlan> plans;
  Names types;
  for (const bool turns : turning(s)) {
    types.emplace_back(llama4 ? (turns ? "chunked_attention" : "full_attention") : (turns ? "rope" : "nope"));
    add(plans, types.back(), turns ? LayerKind::rotary : LayerKind::nope);
  }
  const Json* list = s.text.value("no_rope_layers");
  place(s, types, list && list->kind == Json::Kind::array && !list->items.empty(), plans);
  return plans;
}

}  // namespace

std::vector<LayerPlan> layer_plans(const Subject& s) {
  if (s.is("llama4_text") || s.is("smollm3")) {
    if (s.text.has("layer_types")) s.text.mark("layer_types", KeyStatus::ignored, "no_rope_layers tells which layers turn");
    const auto plans = no_rope_plans(s);
    return plans.size() == 1 ? std::vector{LayerPlan{"all", plans[0].kind, plans[0].layers}} : plans;
  }
  auto types = s.text.words("layer_types").value_or(Names{});
  types.resize(listed_layers(s, "layer_types", types.size()));
  const bool listed = !types.empty();
  if (types.empty()) types = family_types(s);
  if (s.is("deepseek_v4"))
    for (std::string& t : types)
      if (t != "sliding_attention") t = "compressor";
  std::vector<LayerPlan> plans;
  for (const std::string& type : types)
    if (plans.size() <= most_layer_types) add(plans, type, kind_of(s, type, types));
  const bool by_layer = listed || s.text.has("compress_ratios") || s.text.has("full_attn_idxs");
  if (!(s.is("deepseek_v4") && !by_layer)) place(s, types, by_layer, plans);
  if (plans.empty()) plans.push_back({"all"});
  if (plans.size() > most_layer_types) {
    s.text.ledger().error(fmt::format("layer_types: must name at most {} types", most_layer_types));
    plans.resize(1);
  } else if (listed) {
    Names names;
    for (const LayerPlan& p : plans) names.push_back(p.name);
    if (const std::string line = unknown_layer_types(names); !line.empty())
      s.text.ledger().warn(fmt::format("{}: {}", s.text.path("layer_types"), line));
  }
  return plans;
}

}  // namespace posenc::sources
