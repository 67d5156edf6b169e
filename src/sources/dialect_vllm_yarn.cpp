#include "sources/dialect_vllm_yarn.hpp"

#include "sources/config_scaling.hpp"

#include <fmt/format.h>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

/// What both readings start from.
struct Ramp {
  double factor = 0, fast = 0, slow = 0;
  Pos before = 0;
};

/// A key of the ramp is a number > 0 where it is given: vLLM divides by 0 and multiplies null.
double vllm_turns(const Rotation& r, std::string_view key, double otherwise) {
  if (r.dict().value(key)) return positive(r, key).value_or(otherwise);
  return turns(r, key, otherwise);
}

std::optional<Ramp> ramp(const Rotation& r) {
  const auto s = scaling_factor(r);
  const Pos before = length_before(r);
  const double fast = vllm_turns(r, "beta_fast", 32), slow = vllm_turns(r, "beta_slow", 1);
  if (!s || r.ledger().failed()) return {};
  warn_of_ratio(r, *s, before);
  return Ramp{*s, fast, slow, before};
}

/// The ramp of `share` of the turns, in the order in which transformers' yarn has its values.
void set_ramp(const Rotation& r, const Ramp& ramp, double share) {
  r.set("factor", ramp.factor);
  r.set("beta-fast", ramp.fast * share);
  r.set("beta-slow", ramp.slow * share);
  if (ramp.fast < ramp.slow) {
    r.ledger().warn(
        fmt::format("{} = {}: below beta_slow = {}: the blend runs backwards, fast pairs are divided and slow ones kept",
                    r.dict().path("beta_fast"), plain_number(ramp.fast), plain_number(ramp.slow)));
    r.set("backwards", "true");
  }
}

void finish(const Rotation& r, Pos before) {
  set_scheme(r, "yarn", before);
  r.layer.rope_type = "yarn";
}

/// 1 for a factor <= 1.
double magnitude(double factor, double k) { return factor <= 1 ? 1 : 0.1 * k * std::log(factor) + 1; }

void attention(const Rotation& r, const Ramp& ramp) {
  const bool telechat = r.layer.rope_type == "telechat3-yarn", factor_given = r.dict().has("attention_factor");
  const auto given = factor_given && !telechat ? positive(r, "attention_factor") : std::nullopt;
  const double own = r.dict().number("mscale").value_or(0), all = r.dict().number("mscale_all_dim").value_or(0);
  if (telechat) {
    const double value = 0.07 * std::log(ramp.factor) + 1;
    if (!(value > 0)) return refuse(r, "factor", "gives an attention factor <= 0");
    if (factor_given) leave_out(r, "attention_factor", "that of telechat3-yarn is computed, 0.07 ln(factor) + 1");
    r.set("attention-factor", value);
  } else if (given) {
    r.set("attention-factor", *given);
  } else if (own != 0 && all != 0) {
    if (own < 0 || all < 0) return refuse(r, own < 0 ? "mscale" : "mscale_all_dim", "must be >= 0");
    r.set("mscale", own);
    r.set("mscale-all-dim", all);
  }
  for (const std::string_view key : {"mscale", "mscale_all_dim"}) {
    if (!r.dict().has(key)) continue;
    if (telechat || given)
      r.dict().mark(key, KeyStatus::overridden, "the attention factor decides");
    else if (own == 0 || all == 0)
      r.dict().mark(key, KeyStatus::used, "without effect unless both are given and not 0");
  }
  for (const std::string_view key : {"attn_factor", "extrapolation_factor", "apply_yarn_scaling"})
    if (r.dict().has(key)) leave_out(r, key, "vLLM read it before 2026");
}

}  // namespace

void read_vllm_yarn(const Rotation& r) {
  const auto found = ramp(r);
  const auto truncate = r.dict().flag("truncate");
  bool interleaved = false;
  const bool sections = !read_sections(r, interleaved).empty();
  if (!found || r.ledger().failed()) return;
  // mrope.py makes a table of four times the length and gives the ramp that length: a quarter of the turns within the original.
  const double share = sections ? 0.25 : 1;
  for (const auto& [key, turns] : {std::pair("beta_fast", found->fast), std::pair("beta_slow", found->slow)})
    if (turns * share == 0) return refuse(r, key, "must not vanish beside 1");
  if (sections)
    r.ledger().warn(
        fmt::format("{}: with yarn: vLLM's ramp counts turns within four times {} = {}; the encoding is that of text, the "
                    "same position on every axis",
                    r.dict().path("mrope_section"), original_key, found->before));
  set_ramp(r, *found, share);
  if (truncate == false) r.set("truncate", "false");
  attention(r, *found);
  finish(r, found->before);
}

void read_vllm_deepseek_yarn(const Rotation& r) {
  const auto found = ramp(r);
  if (!found) return;
  const double ends = r.dict().number("extrapolation_factor").value_or(1);
  if (ends != 1) return refuse(r, "extrapolation_factor", "must be 1: no encoding mixes in part");
  const bool v4 = r.subject.is("deepseek_v4");
  const double own = r.dict().number("mscale").value_or(1), all = r.dict().number("mscale_all_dim").value_or(0);
  const double times = r.dict().number("attn_factor").value_or(1);
  const bool softmax = r.dict().flag("apply_yarn_scaling").value_or(true) && scales_softmax(r.subject);
  const double value = v4 ? 1 : magnitude(found->factor, own) / magnitude(found->factor, all) * times;
  if (!(value > 0) || !std::isfinite(value)) return refuse(r, "mscale", "gives no attention factor > 0");
  if (all < 0) return refuse(r, "mscale_all_dim", "must be >= 0");
  if (r.dict().has("attention_factor")) leave_out(r, "attention_factor", fmt::format("{} is computed", plain_number(value)));
  if (const Json* t = r.dict().value("truncate"); t && !t->boolean)
    leave_out(r, "truncate", "the ramp of DeepSeek's models ends at whole pairs");
  for (const std::string_view key : {"mscale", "mscale_all_dim", "attn_factor"})
    if (v4 && r.dict().has(key)) r.dict().mark(key, KeyStatus::overridden, "vLLM sets both magnitudes of DeepSeek V4 to 0");
  set_ramp(r, *found, 1);
  r.set("attention-factor", value);
  if (softmax && all != 0) {
    r.dict().mark("mscale_all_dim", KeyStatus::used, "also multiplies the scores by (0.1 mscale_all_dim ln factor + 1)^2");
    r.set("softmax-mscale", all);
  }
  finish(r, found->before);
}

}  // namespace posenc::sources
