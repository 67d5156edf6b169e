#include "sources/dialect_vllm.hpp"

#include "sources/config_scaling.hpp"
#include "sources/dialect_vllm_yarn.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

/// dynamic_ntk_scaling_rope.py: the base of factor times the positions, in one table for every length.
void dynamic(const Rotation& r) {
  if (r.width < 4)
    return r.ledger().error(fmt::format("rotary dimension = {}: must be >= 4 for rope type {}", r.width, r.layer.rope_type));
  if (r.dict().value("alpha") || r.layer.rope_type == "xdrope") {
    if (r.layer.rope_type == "xdrope" && !r.dict().value("xdrope_section"))
      return refuse(r, "xdrope_section", "missing for rope type xdrope");
    if (const auto alpha = positive(r, "alpha")) enlarge_base(r, *alpha);
    return;
  }
  if (!r.dict().value("factor")) return refuse(r, "factor", "dynamic scaling must contain either 'alpha' or 'factor'");
  const auto s = scaling_factor(r);
  if (!s) return;
  if (r.dict().has(original_key))
    r.dict().mark(original_key, KeyStatus::ignored, "dynamic scaling starts from max_position_embeddings");
  const double power = static_cast<double>(r.width) / static_cast<double>(r.width - 2);
  r.dict().mark("factor", KeyStatus::used,
                fmt::format("vLLM: one table at every length, with the base {}",
                            plain_number(*r.layer.base * std::pow(*s * *s - *s + 1, power))));
  r.set("factor", *s);
  r.set("rule", "fixed");
  set_scheme(r, "dynamic-ntk", *r.layer.positions);
}

/// phi3_long_rope_scaled_rope.py: which list is decided once, by max_model_len.
void longrope(const Rotation& r) {
  if (r.layer.layout == "interleaved")
    return r.ledger().error(
        fmt::format("{}: longrope turns the halves of a head alone, not interleaved pairs", r.dict().path("rope_type")));
  const Pos before = length_before(r), all = *r.layer.positions;
  if (before < 2) refuse(r, original_key, "must be >= 2");
  const auto short_list = divisors(r, "short_factor"), long_list = divisors(r, "long_factor");
  if (r.ledger().failed()) return;
  const double s = static_cast<double>(all) / static_cast<double>(before);
  if (r.dict().value("factor")) {
    r.dict().mark("factor", KeyStatus::ignored, "vLLM takes max_position_embeddings / original");
    if (unread_number(r, "factor") != s)
      leave_out(r, "factor", fmt::format("max_position_embeddings / original = {} is taken", plain_number(s)));
  }
  double attention = s <= 1 ? 1 : std::sqrt(1 + std::log(s) / std::log(static_cast<double>(before)));
  if (r.dict().has("attention_factor")) leave_out(r, "attention_factor", fmt::format("{} is computed", plain_number(attention)));
  const bool beyond = all > before;
  const std::string_view own = beyond ? "long_mscale" : "short_mscale", other = beyond ? "short_mscale" : "long_mscale";
  if (r.dict().has(own))
    if (const auto given = positive(r, own)) attention = *given;
  if (r.dict().has(own)) r.dict().mark(own, KeyStatus::used, "vLLM: in place of the attention factor");
  if (r.dict().has(other)) r.dict().mark(other, KeyStatus::ignored, "of the list that is not in use");
  r.dict().mark(beyond ? "short_factor" : "long_factor", KeyStatus::overridden,
                fmt::format("vLLM: max_model_len = {} decides for the other list", all));
  if (beyond)
    r.ledger().warn(
        fmt::format("vLLM: the long list is in use at every length, because max_model_len = {} is above {} = {}; a "
                    "server started with --max-model-len up to that takes the short one",
                    all, original_key, before));
  if (r.ledger().failed()) return;
  always_divided(r, beyond ? long_list : short_list, attention, before);
}

/// gemma4_rope.py has no factor.
void proportional(const Rotation& r) {
  read_proportional(r);
  if (!r.source.dict || !r.dict().has("factor")) return;
  std::erase_if(r.layer.encoding.values, [](const auto& v) { return v.first == "factor"; });
  leave_out(r, "factor", "vLLM's proportional rotation has none");
}

/// config/model.py _get_and_verify_max_len: the original length of yarn, times the factor of all types that are not listed here.
void derive_length(const Rotation& r, bool yarn) {
  constexpr std::array<std::string_view, 2> unscaled{"longrope", "llama3"};
  if (!r.source.dict || r.ledger().failed()) return;
  if (r.subject.model_type.find("gemma3") != std::string::npos) return;
  if (std::find(unscaled.begin(), unscaled.end(), r.layer.rope_type) != unscaled.end()) return;
  const double s = r.dict().has("factor") ? r.dict().value("factor")->number : 1;
  const Pos from = yarn ? r.layer.at : *r.layer.positions;
  const double length = std::floor(static_cast<double>(from) * s);
  if (!(length >= 1 && length <= 0x1p53)) return refuse(r, "factor", "gives no length between 1 and 2^53");
  if (static_cast<Pos>(length) != *r.layer.positions || yarn)
    r.subject.text.defaulted("max_model_len", plain_number(length),
                             fmt::format("vLLM: {} * factor", yarn ? std::string(original_key) : "max_position_embeddings"));
  r.layer.positions = static_cast<Pos>(length);
}

}  // namespace

bool read_vllm_type(const Rotation& r) {
  const std::string type = r.layer.rope_type;
  static constexpr TypeReader types[] = {{"default", read_default},
                                         {"linear", read_linear},
                                         {"dynamic", dynamic},
                                         {"xdrope", dynamic},
                                         {"ntk", read_ntk},
                                         {"yarn", read_vllm_yarn},
                                         {"telechat3-yarn", read_vllm_yarn},
                                         {"deepseek_yarn", read_vllm_deepseek_yarn},
                                         {"deepseek_llama_scaling", read_vllm_deepseek_yarn},
                                         {"longrope", longrope},
                                         {"llama3", read_llama3},
                                         {"proportional", proportional}};
  // models/deepseek_v2.py: whatever the scaling, it is DeepSeek's yarn.
  const bool deepseek = type != "default" && (scales_softmax(r.subject) || r.subject.is("deepseek_v4"));
  const TypeReader* const found = reader_of(r, types);
  if (deepseek)
    read_vllm_deepseek_yarn(r);
  else if (!found)
    return false;
  else
    found->read(r);
  derive_length(r, type == "yarn" || type == "telechat3-yarn");
  return true;
}

std::optional<Pos> vllm_positions(const Subject& s) {
  constexpr std::array<std::string_view, 8> names{
      "max_position_embeddings", "n_positions",          "max_seq_len",    "seq_length",
      "max_sequence_length",     "max_target_positions", "max_seq_length", "seq_len"};
  constexpr std::string_view winner = "model_max_length";
  if (const auto decisive = s.text.count(winner)) {
    for (const std::string_view name : names) s.text.lost(name, winner, static_cast<double>(*decisive));
    return decisive;
  }
  std::optional<Pos> least;
  std::string_view which;
  for (const std::string_view name : names)
    if (const auto n = s.text.has(name) ? s.text.count(name) : std::nullopt; n && (!least || *n < *least))
      least = n, which = name;
  for (const std::string_view name : names)
    if (least && name != which) s.text.lost(name, which, static_cast<double>(*least));
  return least;
}

void share_vllm_length(std::vector<LayerReport>& layers) {
  const auto scaled =
      std::find_if(layers.rbegin(), layers.rend(), [](const LayerReport& l) { return l.positions && l.rope_type != "default"; });
  if (scaled == layers.rend()) return;
  const auto length = scaled->positions;
  for (LayerReport& l : layers)
    if (l.positions) l.positions = length;
}

bool vllm_conflict(std::string_view rope_type, std::string_view type) {
  if ((type == "su" && rope_type == "longrope") || (type == "mrope" && rope_type == "default")) return false;
  return rope_type != type;
}

}  // namespace posenc::sources
