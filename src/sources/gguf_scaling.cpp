#include "sources/gguf_scaling.hpp"

#include "sources/config_scaling.hpp"
#include "sources/gguf_factors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace posenc::sources {
namespace {

using model::Pos;
using Factors = std::vector<double>;

constexpr std::array<std::string_view, 4> types{"none", "linear", "yarn", "longrope"};

/// What the keys under rope.scaling say.
struct Scaling {
  std::string type = "linear";  // none, linear, yarn, longrope
  double factor = 1;
  double magnitude = 1;  // of cos and sin, beside yarn's own
  std::optional<Pos> original;
};

void finish(const GgufRotation& r, std::string rope_type, std::string scheme, Pos trained) {
  r.layer.rope_type = std::move(rope_type);
  r.layer.encoding.scheme = std::move(scheme);
  r.set("original", trained);
  r.layer.at = trained;
}

void plain(const GgufRotation& r) {
  if (r.sections.empty()) return finish(r, "default", "rope", *r.layer.positions);
  r.set("sections", slash_list(r.sections));
  if (r.subject.family.mixed_sections) r.set("interleaved", "true");
  finish(r, "default", "m-rope", *r.layer.positions);
}

Scaling scaling_keys(const GgufRotation& r) {
  const GgufSubject& s = r.subject;
  const Scope& keys = s.keys;
  Scaling out;
  const std::string type = s.key("rope.scaling.type"), factor = s.key("rope.scaling.factor"), old = s.key("rope.scale_linear");
  if (const auto given = keys.word(type)) out.type = *given;
  const auto stretch = keys.number(factor), older = keys.number(old);
  if (stretch && older) keys.lost(old, factor, *stretch);
  if (const auto given = stretch ? stretch : older; given && *given != 0) out.factor = *given;
  out.original = keys.count(s.key("rope.scaling.original_context_length"));
  out.magnitude = keys.number(s.key("rope.scaling.attn_factor")).value_or(1);
  keys.flag(s.key("rope.scaling.finetuned"));
  if (keys.has(s.key("rope.scaling.finetuned")))
    keys.mark(s.key("rope.scaling.finetuned"), KeyStatus::ignored,
              "whether the model was trained again; the rotation is the same");
  if (std::find(types.begin(), types.end(), out.type) == types.end())
    s.ledger().error(fmt::format("{} = {}: must be none, linear, yarn or longrope", type, json_string(out.type)));
  if (!(out.factor > 0)) s.ledger().error(fmt::format("{} = {}: must be > 0", factor, plain_number(out.factor)));
  if (!(out.magnitude > 0))
    s.ledger().error(fmt::format("{} = {}: must be > 0", s.key("rope.scaling.attn_factor"), plain_number(out.magnitude)));
  if (out.type == "none" && out.factor != 1) {
    keys.mark(factor, KeyStatus::overridden, "rope.scaling.type = none decides");
    out.factor = 1;
  }
  return out;
}

/// Every divisor times the linear factor; an error where one is not finite then.
void multiply(const GgufRotation& r, Factors& factors, double factor) {
  for (double& f : factors) f *= factor;
  if (std::any_of(factors.begin(), factors.end(), [](double f) { return !(f > 0) || !std::isfinite(f); }))
    r.subject.ledger().error(fmt::format("{} = {}: must give divisors > 0 that float64 holds",
                                         r.subject.key("rope.scaling.factor"), plain_number(factor)));
}

/// Divisors times the linear factor, and a magnitude: what no other scheme holds.
void listed(const GgufRotation& r, Factors factors, const Scaling& scaling, const std::string& rope_type) {
  if (!r.sections.empty())
    r.subject.ledger().warn(
        "rope.dimension_sections: with scaling; the encoding is that of text, the same position on every axis");
  multiply(r, factors, scaling.factor);
  r.set("factors", slash_list(factors));
  r.set("attention-factor", scaling.magnitude);
  finish(r, rope_type, "longrope", scaling.original.value_or(*r.layer.positions));
}

void linear(const GgufRotation& r, const Scaling& scaling) {
  if (scaling.magnitude != 1 || (scaling.factor != 1 && !r.sections.empty()))
    return listed(r, Factors(static_cast<std::size_t>(r.pairs()), 1), scaling, scaling.factor == 1 ? "default" : "linear");
  if (scaling.factor == 1) return plain(r);
  if (!scaling.original)
    r.subject.ledger().warn(fmt::format(
        "linear scaling does not say the length before the extension: context_length = {} is taken", *r.layer.positions));
  r.set("factor", scaling.factor);
  finish(r, "linear", "pi", scaling.original.value_or(*r.layer.positions));
}

bool all_ones(const Factors& factors) {
  return std::all_of(factors.begin(), factors.end(), [](double f) { return f == 1; });
}

void by_factors(const GgufRotation& r, const GgufTensor& tensor, const Scaling& scaling) {
  const GgufSubject& s = r.subject;
  const Factors factors = factor_list(s, tensor, r.pairs());
  if (factors.empty()) return;
  if (all_ones(factors)) return linear(r, scaling);
  const bool alone = scaling.factor == 1 && scaling.magnitude == 1 && r.sections.empty();
  if (const auto turning = turning_pairs(factors); turning && alone && r.width == *r.layer.head_dim) {
    s.keys.mark(tensor.name, KeyStatus::used, fmt::format("{} pairs turn, the others stand still", *turning));
    double share = static_cast<double>(*turning) / static_cast<double>(r.pairs());
    if (share * static_cast<double>(r.width) / 2 < static_cast<double>(*turning)) share = std::nextafter(share, 1.0);
    r.layer.partial = share;
    r.set("partial", share);
    return finish(r, "proportional", "proportional", *r.layer.positions);
  }
  if (const auto rule = llama3_rule(factors, *r.layer.base); rule && alone) {
    s.keys.mark(tensor.name, KeyStatus::used,
                fmt::format("Llama 3.1's rule with original = {}, to the rounding of float32", rule->original));
    r.set("factor", rule->factor);
    r.set("low-freq-factor", rule->low);
    r.set("high-freq-factor", rule->high);
    return finish(r, "llama3", "llama3", rule->original);
  }
  s.ledger().warn(fmt::format("{}: follows no known rule; the length before the extension is taken for {}", tensor.name,
                              scaling.original.value_or(*r.layer.positions)));
  listed(r, factors, scaling, "longrope");
}

/// A list within the original length, another beyond it.
void two_lists(const GgufRotation& r, const GgufTensor& short_list, const GgufTensor& long_list, const Scaling& scaling) {
  const GgufSubject& s = r.subject;
  Factors within = factor_list(s, short_list, r.pairs()), beyond = factor_list(s, long_list, r.pairs());
  const std::string key = s.key("rope.scaling.original_context_length");
  if (!scaling.original) {
    s.keys.defaulted(key, std::to_string(*r.layer.positions), "context_length");
    s.ledger().warn(fmt::format("{}: not given: context_length = {}", key, *r.layer.positions));
  }
  const Pos before = scaling.original.value_or(*r.layer.positions);
  if (before < 2) s.ledger().error(fmt::format("{} = {}: must be >= 2", key, before));
  if (s.ledger().failed()) return;
  multiply(r, within, scaling.factor);
  multiply(r, beyond, scaling.factor);
  r.set("short", slash_list(within));
  r.set("long", slash_list(beyond));
  r.set("factor", static_cast<double>(*r.layer.positions) / static_cast<double>(before));
  r.set("attention-factor", scaling.magnitude);
  finish(r, "longrope", "longrope", before);
  r.layer.long_above = before;
}

}  // namespace

void read_gguf_scaling(const GgufRotation& r, bool unscaled) {
  if (unscaled) return plain(r);
  const GgufSubject& s = r.subject;
  const Scaling scaling = scaling_keys(r);
  if (s.ledger().failed()) return;
  const GgufTensor* const all = s.tensor(factors_tensor, "divisors of the frequencies");
  const GgufTensor* const within = s.tensor(short_tensor, "divisors within the original length");
  const GgufTensor* const beyond = s.tensor(long_tensor, "divisors beyond the original length");
  if (scaling.type == "yarn") {
    if (within || beyond)
      return s.ledger().error(
          fmt::format("{}: must not come with {} = yarn", within ? short_tensor : long_tensor, s.key("rope.scaling.type")));
    Factors divisors = all ? factor_list(s, *all, r.pairs()) : Factors{};
    if (all_ones(divisors)) divisors.clear();
    return read_gguf_yarn(r, scaling.factor, scaling.magnitude, scaling.original, divisors);
  }
  if (all) return by_factors(r, *all, scaling);
  if (within && beyond) return two_lists(r, *within, *beyond, scaling);
  if (within || beyond)
    return s.ledger().error(
        fmt::format("{}: must come with {}", within ? short_tensor : long_tensor, within ? long_tensor : short_tensor));
  if (scaling.type == "longrope")
    return s.ledger().error(fmt::format("{} = longrope: needs {} and {}", s.key("rope.scaling.type"), short_tensor, long_tensor));
  linear(r, scaling);
}

}  // namespace posenc::sources
