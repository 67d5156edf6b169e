#pragma once
// sources: the sizes of a model's attention from its config.json: head width, heads, positions.
#include "sources/config_family.hpp"
#include "sources/config_scope.hpp"
#include "sources/dialect.hpp"

namespace posenc::sources {

/// What every part of the reader works on: the object of the text model and what its family fixes.
struct Subject {
  Scope text;
  std::string model_type;
  Family family;  // family.type is empty where the model_type is not known
  Dialect dialect = Dialect::hf;
  bool is(std::string_view type) const { return family.type == type; }
  bool as(Dialect d) const { return dialect == d; }
};

/// Channels of an attention head; for multi-head latent attention those that carry positions. Nothing, with an error in the
/// ledger, where the file does not say.
std::optional<model::Pos> head_dim(const Subject& s);
std::optional<model::Pos> heads(const Subject& s);
std::optional<model::Pos> model_width(const Subject& s);
/// Query and key heads, and latent attention's channels beside those of positions; read for comparisons, the keys' status stays.
AttentionHeads attention_heads(const Subject& s);
/// Layers of the model under any of their names, at most 4096, more than any model has; 0 where the file does not say. The status
/// of the key stays.
model::Pos layer_count(const Subject& s);
/// max_position_embeddings under any of its names, or the class default, or 2048 with a warning; vLLM: by its own order.
model::Pos positions(const Subject& s);
/// The length of the texts that the model was trained on where no extension is declared.
model::Pos trained_positions(const Subject& s);

}  // namespace posenc::sources
