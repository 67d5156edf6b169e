#pragma once
// sources: what the code of a model family fixes without saying it in config.json: kind, channel layout, class defaults.
#include "model/encoding.hpp"

#include <string_view>

namespace posenc::sources {

enum class Kind : int {
  rotary,
  learned,
  sinusoid,
  sinusoid_learned,
  t5,
  alibi,
  relative_key,
  deberta,
  transformer_xl,
  none,
  no_attention
};
/// Rows of a learned table against the positions of the file: as many; two more, position 0 in row 2; as many, position 0 in
/// the row after the padding's.
enum class TableRows : int { plain, two_more, after_padding };

struct Family {
  std::string_view type;  // model_type
  Kind kind = Kind::rotary;
  double base = 10000, local_base = 0;  // rope_theta; of sliding_attention layers, 0: the same
  double partial = 1;                   // partial_rotary_factor
  bool interleaved = false;
  model::Pos head_dim = 0;   // 0: hidden_size / heads
  model::Pos positions = 0;  // max_position_embeddings, 0: not known
  TableRows rows = TableRows::plain;
};

/// The family of a model_type, or nullptr.
const Family* family_of(std::string_view model_type);
/// Of a class of huggingface/transformers: "GPTNeoXForCausalLM" is gpt_neox. nullptr where it is not known.
const Family* family_of_class(std::string_view name);

}  // namespace posenc::sources
