#include "sources/config_known.hpp"

#include "core/field.hpp"
#include "sources/json.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

constexpr std::string_view position_keys[] = {
    // lengths
    "max_position_embeddings", "n_positions", "max_sequence_length", "original_max_position_embeddings", "max_source_positions",
    "max_target_positions", "max_relative_positions", "position_buckets",
    // rotation
    "rope_theta", "rotary_emb_base", "rope_scaling", "rope_parameters", "rope_ratio", "rope_interleave", "rope_local_base_freq",
    "global_rope_theta", "local_rope_theta", "compress_rope_theta", "partial_rotary_factor", "rotary_pct", "rotary_emb_fraction",
    "rotary_dim", "qk_rope_head_dim", "no_rope_layers", "no_rope_layer_interval", "use_dynamic_ntk", "use_logn_attn",
    // which kind
    "position_embedding_type", "position_biased_input", "alibi", "learned_pos_emb", "no_position_embeddings"};

constexpr std::string_view scaling_keys[] = {"rope_type",
                                             "type",
                                             "rope_theta",
                                             "factor",
                                             "alpha",
                                             "mixed_b",
                                             "original_max_position_embeddings",
                                             "attention_factor",
                                             "attn_factor",
                                             "beta_fast",
                                             "beta_slow",
                                             "mscale",
                                             "mscale_all_dim",
                                             "truncate",
                                             "short_factor",
                                             "long_factor",
                                             "short_mscale",
                                             "long_mscale",
                                             "low_freq_factor",
                                             "high_freq_factor",
                                             "mrope_section",
                                             "mrope_interleaved",
                                             "xdrope_section",
                                             "partial_rotary_factor"};

// huggingface/transformers src/transformers/configuration_utils.py, ALLOWED_LAYER_TYPES and the older names that it maps;
// DeepSeek-V4's two rotations; the recurrent layers of models that the list does not have.
constexpr std::string_view layer_types[] = {"full_attention",
                                            "sliding_attention",
                                            "chunked_attention",
                                            "linear_attention",
                                            "conv",
                                            "mamba",
                                            "attention",
                                            "compressed_sparse_attention",
                                            "heavily_compressed_attention",
                                            "deepseek_sparse_attention",
                                            "minimax_m3_sparse",
                                            "sparse",
                                            "dense",
                                            "hybrid",
                                            "hybrid_sliding",
                                            "moe",
                                            "short_conv",
                                            "mamba2",
                                            "recurrent",
                                            "rwkv",
                                            "main",
                                            "compress",
                                            "compressor"};
constexpr std::size_t usual = 6;  // the first of them

bool one_of(std::string_view name, std::span<const std::string_view> list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

}  // namespace

bool is_position_key(std::string_view name) { return one_of(name, position_keys); }
bool is_scaling_key(std::string_view name) { return one_of(name, scaling_keys); }
bool is_layer_type(std::string_view name) { return one_of(name, layer_types); }

std::string unknown_layer_types(const std::vector<std::string>& names) {
  constexpr int most = 4;
  std::string out;
  std::string_view near;
  int count = 0;
  for (const std::string& name : names) {
    if (is_layer_type(name)) continue;
    if (++count == 1) near = nearest(name, layer_types);
    if (count <= most) out += (out.empty() ? "" : ", ") + json_string(brief(name));
  }
  if (count == 0) return {};
  if (count > most) out += fmt::format(" and {} more", count - most);
  const std::string hint = near.empty() ? "" : fmt::format(" (did you mean {}?)", near);
  return fmt::format("{}: not known{}, taken as layers that turn; known are {} and others", out, hint,
                     fmt::join(std::span(layer_types).first(usual), ", "));
}

}  // namespace posenc::sources
