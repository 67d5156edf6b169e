#include "sources/config_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

/// factor, or max_position_embeddings / original where it is null.
std::optional<double> yarn_factor(const Rotation& r, Pos before) {
  if (!r.dict().value("factor") || r.dict().has("factor")) return scaling_factor(r);
  const double implied = static_cast<double>(*r.layer.positions) / static_cast<double>(before);
  r.dict().defaulted("factor", plain_number(implied), "max_position_embeddings / original");
  return implied;
}

/// 0 means the default.
double beta(const Rotation& r, std::string_view key, double otherwise) {
  if (!r.dict().has(key) || r.dict().value(key)->number != 0) return turns(r, key, otherwise);
  if (r.dict().number(key)) r.dict().mark(key, KeyStatus::ignored, "0 means the default " + plain_number(otherwise));
  return otherwise;
}

void attention(const Rotation& r, double s) {
  const auto mscale = r.dict().number("mscale"), all = r.dict().number("mscale_all_dim");
  const bool ratio = mscale.value_or(0) != 0 && all.value_or(0) != 0;
  for (const auto& [key, value] : {std::pair("mscale", mscale), std::pair("mscale_all_dim", all)})
    if (value.value_or(0) < 0) return refuse(r, key, "must be >= 0");
  if (const auto given = r.dict().number("attention_factor")) {
    if (!(*given > 0)) refuse(r, "attention_factor", "must be > 0");
    for (const std::string_view key : {"mscale", "mscale_all_dim"})
      if (r.dict().has(key)) r.dict().mark(key, KeyStatus::overridden, "attention_factor decides");
    r.set("attention-factor", *given);
  } else if (r.layer.rope_type == "telechat3-yarn") {
    const double magnitude = 0.07 * std::log(s) + 1;
    if (!(magnitude > 0)) refuse(r, "factor", "gives an attention factor <= 0");
    r.set("attention-factor", magnitude);
  } else if (r.subject.is("deepseek_v4")) {
    r.ledger().warn(fmt::format("{}: not given: {} by YaRN's rule; DeepSeek's own code and vLLM leave cos and sin as they are, 1",
                                r.dict().path("attention_factor"), plain_number(0.1 * std::log(s) + 1)),
                    r.otherwise("they left them as they are", {{"attention-factor", "1"}}));
  } else if (ratio) {
    r.set("mscale", *mscale);
    r.set("mscale-all-dim", *all);
  }
  if (all.value_or(0) != 0 && scales_softmax(r.subject)) {
    r.dict().mark("mscale_all_dim", KeyStatus::used, "also multiplies the scores by (0.1 mscale_all_dim ln factor + 1)^2");
    r.set("softmax-mscale", *all);
  } else if (!ratio && !r.ledger().failed()) {
    for (const std::string_view key : {"mscale", "mscale_all_dim"})
      if (r.dict().has(key)) r.dict().mark(key, KeyStatus::used, "without effect unless both are given and not 0");
  }
}

}  // namespace

double turns(const Rotation& r, std::string_view key, double otherwise) {
  const auto given = r.dict().number(key);
  if (given && !(*given > 0)) refuse(r, key, "must be > 0");
  if (!given) r.dict().defaulted(key, plain_number(otherwise), "default of yarn");
  return given.value_or(otherwise);
}

bool scales_softmax(const Subject& s) {
  constexpr std::array<std::string_view, 7> families{"deepseek_v2",   "deepseek_v3",   "deepseek_v32", "kimi_k2",
                                                     "glm4_moe_lite", "longcat_flash", "youtu_llm"};
  return std::find(families.begin(), families.end(), s.family.type) != families.end();
}

void read_yarn(const Rotation& r) {
  const Pos before = length_before(r);
  const auto s = yarn_factor(r, before);
  const double fast = beta(r, "beta_fast", 32), slow = beta(r, "beta_slow", 1);
  const auto truncate = r.dict().flag("truncate");
  if (!s || r.ledger().failed()) return;
  if (fast < slow)
    r.ledger().warn(fmt::format("{} = {}: below beta_slow = {}: the blend runs backwards, fast pairs are divided and slow ones "
                                "kept, as transformers and vLLM compute it",
                                r.dict().path("beta_fast"), plain_number(fast), plain_number(slow)),
                    r.otherwise("the two were exchanged",
                                {{"beta-fast", plain_number(slow)}, {"beta-slow", plain_number(fast)}, {"backwards", "false"}}));
  if (truncate == false && r.source.nested)
    r.ledger().warn(fmt::format("{} = false is used here; transformers does not see it inside a layer's dictionary",
                                r.dict().path("truncate")),
                    r.otherwise("truncate were true", {{"truncate", "true"}}));
  warn_of_ratio(r, *s, before);
  bool interleaved = false;
  if (!read_sections(r, interleaved).empty())
    r.ledger().warn(fmt::format("{}: with yarn; the encoding is that of text, the same position on every axis",
                                r.dict().path("mrope_section")));
  r.set("factor", *s);
  r.set("beta-fast", fast);
  r.set("beta-slow", slow);
  if (fast < slow) r.set("backwards", "true");
  if (truncate == false) r.set("truncate", "false");
  attention(r, *s);
  if (r.dict().has("attn_factor")) {
    r.dict().mark("attn_factor", KeyStatus::ignored, "the factor itself in some tools, a multiplier in others");
    const std::string line =
        fmt::format("{}: not used: the factor itself in some tools, a multiplier in others", r.dict().path("attn_factor"));
    const auto given = unread_number(r, "attn_factor");
    if (given && *given > 0)
      r.ledger().warn(line, r.otherwise("it were the attention factor", {{"attention-factor", plain_number(*given)}}));
    else
      r.ledger().warn(line);
  }
  set_scheme(r, "yarn", before);
  r.layer.rope_type = "yarn";
}

}  // namespace posenc::sources
