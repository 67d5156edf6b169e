#include "sources/gguf_scaling.hpp"

#include "sources/config_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;

double turns(const GgufRotation& r, std::string_view name, double otherwise) {
  const std::string key = r.subject.key(name);
  const auto given = r.subject.keys.number(key);
  if (!given) r.subject.keys.defaulted(key, plain_number(otherwise), "llama.cpp's default");
  if (given && !(*given > 0)) r.subject.ledger().error(fmt::format("{} = {}: must be > 0", key, plain_number(*given)));
  return given.value_or(otherwise);
}

/// Whether the ramp is in use: 1, and -1, llama.cpp's word for the default; 0 leaves every pair interpolated.
bool ramped(const GgufRotation& r) {
  const std::string key = r.subject.key("rope.scaling.yarn_ext_factor");
  const double mix = r.subject.keys.number(key).value_or(1);
  if (mix != 1 && mix != 0 && mix != -1)
    r.subject.ledger().error(fmt::format("{} = {}: must be 0 or 1 (-1: 1); no encoding mixes in part", key, plain_number(mix)));
  return mix != 0;
}

/// mscale_all_dim of yarn_log_multiplier: its tenth for DeepSeek's models, itself for Mistral 3, as ggml-org/llama.cpp
/// conversion/deepseek.py and mistral3.py write it.
double all_dims(const GgufSubject& s, double multiplier) {
  return s.is("mistral3") ? multiplier : static_cast<double>(static_cast<float>(multiplier) / 0.1F);
}

void magnitudes(const GgufRotation& r, double factor, double magnitude) {
  const GgufSubject& s = r.subject;
  const std::string key = s.key("rope.scaling.yarn_log_multiplier"), fixed = s.key("rope.scaling.yarn_attn_factor");
  if (const auto given = s.keys.number(fixed)) {
    s.keys.mark(fixed, KeyStatus::ignored, "llama.cpp computes it anew from the factor");
    if (*given != 1)
      s.ledger().warn(fmt::format("{} = {}: not used: llama.cpp computes it anew from the factor", fixed, plain_number(*given)));
  }
  const auto log = s.keys.number(key);
  const double all = log ? all_dims(s, *log) : 0;
  if (all < 0) return s.ledger().error(fmt::format("{} = {}: must be >= 0", key, plain_number(*log)));
  const double own = s.is("deepseek2") ? all : 1;
  if (magnitude != 1) {
    const double divided = all == 0 ? 1 : 0.1 * all * std::log(std::max(factor, 1.0)) + 1;
    r.set("attention-factor", magnitude * (0.1 * (all == 0 ? 1 : own) * std::log(std::max(factor, 1.0)) + 1) / divided);
  } else if (all != 0) {
    r.set("mscale", own);
    r.set("mscale-all-dim", all);
  }
  if (all != 0 && s.latent()) {
    s.keys.mark(key, KeyStatus::used, "also multiplies the scores by (mscale_all_dim 0.1 ln factor + 1)^2");
    r.set("softmax-mscale", all);
  }
}

}  // namespace

void read_gguf_yarn(const GgufRotation& r, double factor, double magnitude, const std::optional<Pos>& original,
                    const std::vector<double>& divisors) {
  const GgufSubject& s = r.subject;
  const std::string key = s.key("rope.scaling.original_context_length");
  if (!original) {
    s.keys.defaulted(key, std::to_string(*r.layer.positions), "context_length");
    s.ledger().warn(fmt::format("{}: not given: context_length = {}", key, *r.layer.positions));
  }
  const Pos before = original.value_or(*r.layer.positions);
  const double fast = turns(r, "rope.scaling.yarn_beta_fast", 32), slow = turns(r, "rope.scaling.yarn_beta_slow", 1);
  const bool ramp = ramped(r);
  if (s.ledger().failed()) return;
  if (ramp && fast < slow)
    s.ledger().warn(
        fmt::format("{} = {}: below yarn_beta_slow = {}: pairs that turn at least yarn_beta_fast times are kept and "
                    "the others divided, without a blend, as llama.cpp computes it",
                    s.key("rope.scaling.yarn_beta_fast"), plain_number(fast), plain_number(slow)));
  if (!ramp) {
    std::vector<double> all = divisors.empty() ? std::vector<double>(static_cast<std::size_t>(r.pairs()), 1) : divisors;
    for (double& f : all) f *= factor;
    r.set("factors", slash_list(all));
    r.set("attention-factor", magnitude);
    r.layer.encoding.scheme = "longrope";
  } else {
    if (!r.sections.empty())
      s.ledger().warn("rope.dimension_sections: with yarn; the encoding is that of text, the same position on every axis");
    if (s.is("gpt-oss"))
      s.ledger().warn(
          "gpt-oss: llama.cpp rounds the ends of yarn's ramp, as the encoding here does; the model was trained without "
          "(truncate=false)");
    r.set("factor", factor);
    r.set("beta-fast", fast);
    r.set("beta-slow", std::min(fast, slow));  // of an empty ramp llama.cpp leaves the step at its first end
    if (!divisors.empty()) {
      // ggml divides the angle before the ramp blends it, and the ramp runs along the index of undivided pairs.
      s.keys.mark(factors_tensor, KeyStatus::used, "divides the frequencies before yarn blends them");
      r.set("divisors", slash_list(divisors));
    }
    magnitudes(r, factor, magnitude);
    r.layer.encoding.scheme = "yarn";
  }
  r.layer.rope_type = "yarn";
  r.set("original", before);
  r.layer.at = before;
}

}  // namespace posenc::sources
