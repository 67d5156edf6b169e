#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

/// conversion/base.py reads the dictionary's alone.
std::optional<Pos> inner_length(const Rotation& r) {
  const auto inner = r.dict().count(original_key);
  if (!inner && !r.ledger().failed()) refuse(r, original_key, fmt::format("missing for rope type {}", r.layer.rope_type));
  const Scope& text = r.subject.text;
  if (inner && !r.source.nested && text.has(original_key))
    text.lost(original_key, r.dict().path(original_key), static_cast<double>(*inner));
  return inner;
}

/// src/llama-context.cpp: computed anew from the factor; 0.1 mscale_all_dim is written for DeepSeek's models, mscale_all_dim
/// itself for Ministral 3, and mscale never.
void magnitudes(const Rotation& r, double s) {
  const bool ministral = r.subject.is("ministral3"), deepseek = scales_softmax(r.subject);
  const double own = unread_number(r, "mscale").value_or(0);
  const double all = (ministral || deepseek ? r.dict().number("mscale_all_dim") : unread_number(r, "mscale_all_dim")).value_or(0);
  const bool written = all != 0 && (ministral || deepseek);
  if (ministral && !r.dict().has("mscale_all_dim")) return refuse(r, "mscale_all_dim", "missing for ministral3");
  if (written && all < 0) return refuse(r, "mscale_all_dim", "must be >= 0");
  const auto m = [&](double k) { return s <= 1 ? 1 : 0.1 * k * std::log(s) + 1; };
  const double value = !written ? m(1) : deepseek ? 1 : m(1) / m(all);
  if (written) r.set("mscale", deepseek ? all : 1.0), r.set("mscale-all-dim", all);
  if (deepseek && all != 0) {
    r.dict().mark("mscale_all_dim", KeyStatus::used, "also multiplies the scores by (0.1 mscale_all_dim ln factor + 1)^2");
    r.set("softmax-mscale", all);
  }
  if (r.dict().has("mscale")) r.dict().mark("mscale", KeyStatus::ignored, "llama.cpp's converter leaves it out");
  if (all != 0 && !written) r.dict().mark("mscale_all_dim", KeyStatus::ignored, "llama.cpp's converter leaves it out");
  if (own != 0 && all != 0 && std::abs(m(own) / m(all) - value) > 1e-12)
    leave_out(r, "mscale", fmt::format("the attention factor is {}", plain_number(value)));
  for (const std::string_view key : {"attention_factor", "attn_factor"})
    if (r.dict().has(key)) {
      const auto given = unread_number(r, key);
      r.dict().mark(key, KeyStatus::ignored, "llama.cpp computes it anew from the factor");
      if (given && std::abs(*given - value) > 1e-6)
        leave_out(r, key, fmt::format("llama.cpp computes it anew from the factor, {}", plain_number(value)));
    }
}

/// extrapolation_factor 0: every pair is divided, and the attention factor is the file's.
void without_ramp(const Rotation& r, double s, Pos before) {
  std::optional<double> given;
  for (const std::string_view key : {"attention_factor", "attn_factor"})
    if (!given && r.dict().has(key)) given = positive(r, key);
  always_divided(r, std::vector<double>(static_cast<std::size_t>(r.pairs()), s), given.value_or(1), before);
  r.layer.rope_type = "yarn";
}

}  // namespace

void read_llama_cpp_yarn(const Rotation& r) {
  const auto s = scaling_factor(r);
  const auto before = inner_length(r);
  const double fast = turns(r, "beta_fast", 32), slow = turns(r, "beta_slow", 1);
  const double mix = r.dict().number("extrapolation_factor").value_or(1);
  if (mix > 0 && mix != 1) refuse(r, "extrapolation_factor", "must be 0 or 1 (below 0: 1); no encoding mixes in part");
  if (r.ledger().failed() || !s || !before) return;
  if (mix == 0) return without_ramp(r, *s, *before);
  if (r.dict().has("mrope_section"))
    r.dict().mark("mrope_section", KeyStatus::used, "with yarn; text has one position on every axis");
  if (const Json* t = r.dict().value("truncate"); t && !t->boolean)
    leave_out(r, "truncate", "llama.cpp rounds the ends of yarn's ramp to whole pairs");
  if (fast < slow)
    r.ledger().warn(
        fmt::format("{} = {}: below beta_slow = {}: pairs that turn at least beta_fast times are kept and the others "
                    "divided, without a blend, as llama.cpp computes it",
                    r.dict().path("beta_fast"), plain_number(fast), plain_number(slow)));
  warn_of_ratio(r, *s, *before);
  r.set("factor", *s);
  r.set("beta-fast", fast);
  r.set("beta-slow", std::min(fast, slow));  // the ramp is max(0.001, high - low) wide: of an empty one the step at low is left
  magnitudes(r, *s);
  set_scheme(r, "yarn", *before);
  r.layer.rope_type = "yarn";
}

}  // namespace posenc::sources
