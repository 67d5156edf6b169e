#include "sources/gguf_subject.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

using model::Pos;

std::optional<Pos> required(const GgufSubject& s, std::string_view name) {
  const std::string key = s.key(name);
  const auto out = s.keys.count(key);
  if (!out && !s.keys.has(key)) s.ledger().error(fmt::format("{}: missing", key));
  return out;
}

/// A whole number above 0, or of a list the first such.
std::optional<Pos> peeked(const GgufSubject& s, std::string_view name) {
  const Json* v = s.keys.value(s.key(name));
  const auto whole = [](const Json& n) { return n.kind == Json::Kind::integer && n.number >= 1 && n.number <= 0x1p53; };
  if (!v) return {};
  if (whole(*v)) return static_cast<Pos>(v->number);
  for (const Json& item : v->items)
    if (whole(item)) return static_cast<Pos>(item.number);
  return {};
}

}  // namespace

const GgufTensor* GgufSubject::tensor(std::string_view name, const std::string& note) const {
  const GgufTensor* out = file.find(name);
  if (out) keys.mark(name, KeyStatus::used, note);
  return out;
}

std::optional<Pos> context_length(const GgufSubject& s) { return required(s, "context_length"); }
std::optional<Pos> model_width(const GgufSubject& s) { return required(s, "embedding_length"); }

std::optional<Pos> heads(const GgufSubject& s) {
  const std::string key = s.key("attention.head_count");
  const Json* v = s.keys.value(key);
  if (!v || v->kind != Json::Kind::array) return required(s, "attention.head_count");
  const auto list = s.keys.numbers(key);
  if (!list) return {};
  const auto first = std::find_if(list->begin(), list->end(), [](double n) { return n >= 1 && n <= 0x1p32; });
  if (first == list->end()) return s.ledger().error(fmt::format("{}: must name a layer with heads", key)), std::nullopt;
  s.keys.mark(key, KeyStatus::used, "by layer: the first that has heads");
  return static_cast<Pos>(*first);
}

AttentionHeads attention_heads(const GgufSubject& s) {
  AttentionHeads out{peeked(s, "attention.head_count"), peeked(s, "attention.head_count_kv")};
  if (!out.key) out.key = out.query;
  if (s.latent()) {
    out.key = 1;  // the channels of positions of a key stand beside its latent vector, once for all heads
    const auto whole = peeked(s, "attention.key_length_mla"), stored = peeked(s, "attention.key_length");
    out.before = std::max<Pos>(0, (whole ? whole : stored).value_or(0) - peeked(s, "rope.dimension_count").value_or(0));
  }
  return out;
}

Pos layer_count(const GgufSubject& s) {
  constexpr Pos most = 4096;
  const Pos all = std::min(peeked(s, "block_count").value_or(0), most);
  return std::max<Pos>(0, all - peeked(s, "nextn_predict_layers").value_or(0));
}

std::optional<Pos> head_dim(const GgufSubject& s, bool sliding) {
  if (s.latent()) {
    s.keys.mark(s.key("attention.kv_lora_rank"), KeyStatus::used, "multi-head latent attention");
    const auto latent = required(s, "rope.dimension_count");
    s.keys.mark(s.key("rope.dimension_count"), KeyStatus::used, "latent attention: these channels alone carry positions");
    return latent;
  }
  if (sliding)
    if (const auto own = s.keys.count(s.key("attention.key_length_swa"))) return own;
  if (const auto given = s.keys.count(s.key("attention.key_length"))) return given;
  const auto width = model_width(s), count = heads(s);
  if (!width || !count || s.ledger().failed()) return {};
  if (*width < *count)
    return s.ledger().error(fmt::format("{}: must be >= the number of heads", s.key("embedding_length"))), std::nullopt;
  s.keys.defaulted(s.key("attention.key_length"), std::to_string(*width / *count), "embedding_length / attention.head_count");
  return *width / *count;
}

std::optional<Pos> rotary_dim(const GgufSubject& s, Pos head, bool sliding) {
  if (sliding)
    if (const auto own = s.keys.count(s.key("rope.dimension_count_swa"))) return own;
  const std::string key = s.key("rope.dimension_count");
  // Sliding layers with heads of their own width turn whole ones where the file does not say more.
  if (sliding && s.keys.has(s.key("attention.key_length_swa"))) return head;
  if (const auto given = s.keys.count(key)) return given;
  if (!s.keys.has(key)) s.keys.defaulted(key, std::to_string(head), "the whole head");
  return head;
}

}  // namespace posenc::sources
