#include "sources/config_attention.hpp"

#include "sources/dialect_vllm.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::array<std::string_view, 4> width_names{"hidden_size", "n_embd", "n_embed", "d_model"};
constexpr std::array<std::string_view, 4> heads_names{"num_attention_heads", "n_head", "n_heads", "num_heads"};
constexpr std::array<std::string_view, 3> head_dim_names{"head_dim", "kv_channels", "d_kv"};
// seq_length last: the first Qwen models mean their training length by it.
constexpr std::array<std::string_view, 7> positions_names{
    "max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "model_max_length", "max_sequence_length", "seq_length"};

constexpr std::array<std::string_view, 5> key_heads_names{"num_key_value_heads", "num_kv_heads", "n_head_kv",
                                                          "multi_query_group_num", "num_query_groups"};
constexpr std::array<std::string_view, 5> layers_names{"num_hidden_layers", "n_layer", "n_layers", "num_layers",
                                                       "num_decoder_layers"};
constexpr Pos most_layers = 4096;

/// The first of these keys that holds a whole number above 0.
template <std::size_t n>
std::optional<Pos> peeked(const Subject& s, const std::array<std::string_view, n>& names) {
  for (const std::string_view name : names)
    if (const Json* v = s.text.value(name); v && v->kind == Json::Kind::integer && v->number >= 1 && v->number <= 0x1p53)
      return static_cast<Pos>(v->number);
  return {};
}

std::string number(Pos n) { return std::to_string(n); }

/// hidden_size // heads.
std::optional<Pos> divided(const Subject& s) {
  const auto width = model_width(s), count = heads(s);
  if (!width || !count || *width < *count) return {};
  if (*width % *count != 0)
    s.text.ledger().warn(fmt::format("hidden size {} is not a multiple of {} heads: head_dim is rounded down", *width, *count));
  return *width / *count;
}

}  // namespace

std::optional<Pos> model_width(const Subject& s) { return s.text.count(width_names); }
std::optional<Pos> heads(const Subject& s) { return s.text.count(heads_names); }

std::optional<Pos> head_dim(const Subject& s) {
  const Scope& text = s.text;
  if (const auto latent = text.count("qk_rope_head_dim")) {
    text.mark("qk_rope_head_dim", KeyStatus::used, "multi-head latent attention: these channels alone carry positions");
    for (const std::string_view name : head_dim_names)
      if (text.has(name)) text.mark(name, KeyStatus::overridden, fmt::format("qk_rope_head_dim = {} decides", *latent));
    return latent;
  }
  if (const auto explicit_dim = text.count(head_dim_names)) return explicit_dim;
  if (text.ledger().failed()) return {};
  const bool null = text.value("head_dim") != nullptr;
  if (s.family.head_dim > 0 && !null) {
    text.defaulted("head_dim", number(s.family.head_dim), fmt::format("class default of {}", s.family.type));
    return s.family.head_dim;
  }
  if (const auto quotient = divided(s)) {
    text.defaulted("head_dim", number(*quotient), "hidden size // attention heads");
    return quotient;
  }
  if (!text.ledger().failed()) text.ledger().error("head_dim: missing, and hidden_size and num_attention_heads do not give it");
  return {};
}

AttentionHeads attention_heads(const Subject& s) {
  AttentionHeads out{peeked(s, heads_names), peeked(s, key_heads_names)};
  const auto set = [&](std::string_view name) {
    const Json* v = s.text.value(name);
    return v && v->kind == Json::Kind::boolean && v->boolean;
  };
  if (set("multi_query") && !set("new_decoder_architecture")) out.key = 1;
  if (!out.key) out.key = out.query;
  if (s.text.has("qk_rope_head_dim")) {
    out.key = 1;  // the channels of positions of a key stand beside its latent vector, once for all heads
    out.before = peeked(s, std::array<std::string_view, 1>{"qk_nope_head_dim"}).value_or(0);
  }
  return out;
}

Pos layer_count(const Subject& s) { return std::min(peeked(s, layers_names).value_or(0), most_layers); }

Pos positions(const Subject& s) {
  const std::span<const std::string_view> names(positions_names);
  const auto found = s.as(Dialect::vllm) ? vllm_positions(s) : s.text.count(s.is("qwen") ? names.first(names.size() - 1) : names);
  if (found) return *found;
  const Pos fallback = s.family.positions > 0 ? s.family.positions : 2048;
  const bool known = s.family.positions > 0;
  s.text.defaulted("max_position_embeddings", number(fallback),
                   known ? fmt::format("class default of {}", s.family.type) : "no class default known");
  if (!known) s.text.ledger().warn("max_position_embeddings: not given under any name: 2048 is assumed");
  return fallback;
}

Pos trained_positions(const Subject& s) {
  const Pos all = positions(s);
  if (!s.is("qwen")) return all;
  const auto trained = s.text.count("seq_length");
  if (trained) s.text.mark("seq_length", KeyStatus::used, "the training length of the first Qwen models");
  return trained.value_or(all);
}

}  // namespace posenc::sources
