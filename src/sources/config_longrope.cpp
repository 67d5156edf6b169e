#include "sources/config_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {

using model::Pos;

std::vector<double> divisors(const Rotation& r, std::string_view key) {
  if (!r.dict().has(key)) refuse(r, key, r.dict().value(key) ? "must be a list of numbers" : "missing for rope type longrope");
  const auto list = r.dict().numbers(key);
  if (!list) return {};
  if (static_cast<Pos>(list->size()) != r.pairs()) {
    r.ledger().error(fmt::format("{}: must be {} numbers > 0, one for each pair of rotary dimension {}; has {}",
                                 r.dict().path(key), r.pairs(), r.width, list->size()));
    return {};
  }
  for (std::size_t i = 0; i < list->size(); ++i)
    if (!((*list)[i] > 0)) {
      r.ledger().error(fmt::format("{}[{}] = {}: must be > 0", r.dict().path(key), i, plain_number((*list)[i])));
      return {};
    }
  return *list;
}

void always_divided(const Rotation& r, const std::vector<double>& list, double attention, Pos before) {
  r.set("factors", slash_list(list));
  r.set("attention-factor", attention);
  set_scheme(r, "longrope", before);
}

namespace {

/// Ding 2024 (arXiv 2402.13753).
double magnitude(double factor, double before) { return factor <= 1 ? 1 : std::sqrt(1 + std::log(factor) / std::log(before)); }

}  // namespace

void read_longrope(const Rotation& r) {
  const Pos before = length_before(r), all = *r.layer.positions;
  if (before < 2) r.ledger().error(fmt::format("{} = {}: must be >= 2", r.dict().path(original_key), before));
  const auto short_list = divisors(r, "short_factor"), long_list = divisors(r, "long_factor");
  double s = static_cast<double>(all) / static_cast<double>(before);
  if (r.dict().has("factor")) {
    const auto given = scaling_factor(r);
    if (given) warn_of_ratio(r, *given, before, r.dict().has("attention_factor") ? nullptr : magnitude), s = *given;
  } else {
    r.dict().defaulted("factor", plain_number(s), "max_position_embeddings / original");
  }
  double attention = magnitude(s, static_cast<double>(before));
  if (const auto given = r.dict().number("attention_factor")) attention = *given;
  if (!(attention > 0) || !std::isfinite(attention)) refuse(r, "attention_factor", "must be > 0");
  for (const std::string_view key : {"short_mscale", "long_mscale"})
    if (r.dict().has(key)) {
      r.dict().mark(key, KeyStatus::ignored,
                    "vLLM, TGI and mlx-lm use it in place of the attention factor; transformers does not");
      const std::string value = json_text(*r.dict().value(key));
      r.ledger().warn(fmt::format("{} = {} is not used: the attention factor is {}, as in transformers", r.dict().path(key),
                                  value, plain_number(attention)),
                      r.otherwise(fmt::format("the attention factor were {}", value), {{"attention-factor", value}}));
    }
  if (r.ledger().failed()) return;
  r.set("short", slash_list(short_list));
  r.set("long", slash_list(long_list));
  r.set("factor", s);
  r.set("attention-factor", attention);
  set_scheme(r, "longrope", before);
  r.layer.long_above = before;
}

void read_ntk(const Rotation& r) {
  const auto s = scaling_factor(r);
  const auto mixed = r.dict().number("mixed_b");
  if (!s) return;
  const auto pairs = static_cast<double>(r.pairs());
  const double log_s = std::log(*s), power = mixed.value_or(1);
  std::vector<double> list;
  for (Pos i = 1; i <= r.pairs(); ++i) {
    list.push_back(std::exp(log_s * std::pow(static_cast<double>(i) / pairs, power)));
    if (!(list.back() > 0) || !std::isfinite(list.back()))
      return refuse(r, mixed ? "mixed_b" : "factor",
                    fmt::format("must give divisors > 0, gives {} to pair {}", plain_number(list.back()), i - 1));
  }
  r.dict().mark("factor", KeyStatus::used,
                mixed ? "pair i is divided by exp(ln factor ((i+1)/(d/2))^mixed_b), as in vLLM"
                      : "the base times factor and every pair divided by factor^(2/d), as in vLLM");
  always_divided(r, list, 1, *r.layer.positions);
}

}  // namespace posenc::sources
