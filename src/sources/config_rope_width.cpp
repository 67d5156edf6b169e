#include "sources/config_rope.hpp"
#include "sources/dialect_llama_cpp.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::array<std::string_view, 3> partial_names{"partial_rotary_factor", "rotary_pct", "rotary_emb_fraction"};

/// Channels of that share of the head.
std::string share_text(const Rotation& r, double share) {
  return std::to_string(static_cast<Pos>(static_cast<double>(*r.layer.head_dim) * std::clamp(share, 0.0, 1.0)));
}

/// The share of the head that turns: a top-level key over the dictionary's, as in huggingface/transformers.
double partial(const Rotation& r) {
  const Scope& text = r.subject.text;
  const std::optional<double> inside = r.source.dict ? r.source.dict->number("partial_rotary_factor") : std::nullopt;
  std::optional<double> outside;
  if (!(r.source.nested && inside)) outside = text.number(partial_names);
  if (inside && outside)
    r.source.dict->lost("partial_rotary_factor", text.path("partial_rotary_factor"), *outside,
                        r.otherwise("", {{"rotary-dim", share_text(r, *inside)}}));
  const double value = outside ? *outside : inside.value_or(r.source.partial);
  if (!outside && !inside && value != 1)
    text.defaulted("partial_rotary_factor", plain_number(value), fmt::format("class default of {}", r.subject.family.type));
  const bool vllm = r.subject.as(Dialect::vllm);
  if (!((vllm ? value > 0 : value >= 0) && value <= 1))
    r.ledger().error(fmt::format("partial_rotary_factor = {}: must be in {}0, 1]", plain_number(value), vllm ? '(' : '['));
  if (value == 0 && r.subject.as(Dialect::hf))
    r.ledger().warn("partial_rotary_factor = 0: no channel turns, so a query and a key score alike at any distance");
  return value;
}

}  // namespace

Pos rotary_dim(const Rotation& r) {
  const Scope& text = r.subject.text;
  const Pos head = *r.layer.head_dim;
  const bool direct = r.subject.is("gptj") || r.subject.is("codegen") || r.subject.is("phi-msft");
  const bool share_given = std::any_of(partial_names.begin(), partial_names.end(), [&](auto n) { return text.has(n); });
  const auto given = text.count("rotary_dim", 0);
  if (given && (direct || !share_given)) {
    for (const std::string_view name : partial_names)
      text.lost(name, "rotary_dim / head_dim", static_cast<double>(*given) / static_cast<double>(head));
    r.layer.partial = static_cast<double>(*given) / static_cast<double>(head);
    if (*given == 0) r.ledger().warn("rotary_dim = 0: no channel turns, so a query and a key score alike at any distance");
    return *given;
  }
  r.layer.partial = partial(r);
  if (r.ledger().failed()) return head;
  if (turns_whole_head(r.layer.rope_type)) return head;
  Pos width = static_cast<Pos>(static_cast<double>(head) * *r.layer.partial);
  if (r.subject.as(Dialect::llama_cpp)) {
    width = llama_cpp_width(r, head, *r.layer.partial);
    if (width == head) r.layer.partial = 1;
  }
  if (given && *given != width) {
    const std::string note = fmt::format("partial_rotary_factor gives {} channels", width);
    text.mark("rotary_dim", KeyStatus::conflicting, note);
    r.ledger().warn(fmt::format("{} = {} is not used: {}", text.path("rotary_dim"), *given, note),
                    r.otherwise("rotary_dim decided", {{"rotary-dim", std::to_string(*given)}}));
  } else if (given) {
    text.mark("rotary_dim", KeyStatus::overridden, fmt::format("partial_rotary_factor gives {} channels too", width));
  }
  return width;
}

}  // namespace posenc::sources
