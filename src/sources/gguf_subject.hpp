#pragma once
// sources: what every part of the GGUF reader works on: the file's keys with their ledger, and the sizes of attention.
#include "sources/config_scope.hpp"
#include "sources/gguf.hpp"
#include "sources/gguf_family.hpp"

namespace posenc::sources {

struct GgufSubject {
  const GgufFile& file;
  Scope keys;  // metadata under full keys, and the tensors that say something about positions
  std::string architecture;
  GgufFamily family;

  Ledger& ledger() const { return keys.ledger(); }
  /// "llama.rope.freq_base" of "rope.freq_base".
  std::string key(std::string_view name) const { return architecture + "." + std::string(name); }
  bool is(std::string_view name) const { return architecture == name; }
  /// Multi-head latent attention: a part of the head alone carries positions.
  bool latent() const { return keys.has(key("attention.kv_lora_rank")); }
  /// The tensor, marked used in the ledger with that note, or nullptr.
  const GgufTensor* tensor(std::string_view name, const std::string& note) const;
};

/// Tensors that carry positions.
inline constexpr std::string_view factors_tensor = "rope_freqs.weight", long_tensor = "rope_factors_long.weight",
                                  short_tensor = "rope_factors_short.weight", table_tensor = "position_embd.weight",
                                  encoder_bias_tensor = "enc.blk.0.attn_rel_b.weight",
                                  decoder_bias_tensor = "dec.blk.0.attn_rel_b.weight";

// Sizes under their keys; nothing, with an error in the ledger, where the file does not say.
std::optional<model::Pos> context_length(const GgufSubject& s);
std::optional<model::Pos> model_width(const GgufSubject& s);
/// Query heads; of a list the first that is not 0.
std::optional<model::Pos> heads(const GgufSubject& s);
/// Channels of a head; for latent attention those that carry positions. `sliding`: of sliding layers, where they differ.
std::optional<model::Pos> head_dim(const GgufSubject& s, bool sliding = false);
/// Query and key heads, and latent attention's channels beside those of positions; the keys' status stays.
AttentionHeads attention_heads(const GgufSubject& s);
/// Layers that make a model's text, without those that only guess later tokens; at most 4096, more than any model has; 0 where
/// the file does not say. The keys' status stays.
model::Pos layer_count(const GgufSubject& s);
/// Channels that turn.
std::optional<model::Pos> rotary_dim(const GgufSubject& s, model::Pos head_dim, bool sliding);

}  // namespace posenc::sources
