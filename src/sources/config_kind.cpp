#include "sources/config_forms.hpp"

#include <fmt/format.h>

namespace posenc::sources {
namespace {

Kind by_word(const Subject& s, const std::string& word) {
  if (word == "absolute" || word == "learned_absolute") return Kind::learned;
  if (word == "relative_key" || word == "relative_key_query") return Kind::relative_key;
  if (word == "alibi") return Kind::alibi;
  if (word == "rope" || word == "rotary") return Kind::rotary;
  if (word == "none" || word == "nope") return Kind::none;
  s.text.ledger().error(
      fmt::format("position_embedding_type = \"{}\": must be absolute, relative_key, relative_key_query, alibi, rope "
                  "or nope",
                  word));
  return s.family.kind;
}

Kind mpt(const Subject& s) {
  const auto config = s.text.object("attn_config");
  const bool biased = config && config->flag("alibi").value_or(false), turned = config && config->flag("rope").value_or(false);
  if (!biased && !turned) return s.text.flag("learned_pos_emb").value_or(true) ? Kind::learned : Kind::none;
  if (s.text.has("learned_pos_emb"))
    s.text.mark("learned_pos_emb", KeyStatus::overridden, biased ? "alibi decides" : "rope decides");
  return biased ? Kind::alibi : Kind::rotary;
}

}  // namespace

Kind kind_of(const Subject& s) {
  if (const auto word = s.text.word("position_embedding_type")) return by_word(s, *word);
  if (s.is("mpt")) return mpt(s);
  if (s.text.flag("alibi").value_or(false)) return Kind::alibi;
  if (s.is("baichuan") && model_width(s).value_or(4096) != 4096) {
    s.text.mark("hidden_size", KeyStatus::used, "the 13B models, whose width is not 4096, have ALiBi, the others rotation");
    return Kind::alibi;
  }
  return s.family.kind;
}

}  // namespace posenc::sources
