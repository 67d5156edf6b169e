#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"
#include "sources/dialect_vllm.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>

namespace posenc::sources {

using model::Pos;

void read_default(const Rotation& r) {
  bool interleaved = false;
  const auto sections = read_sections(r, interleaved);
  const Scope& text = r.subject.text;
  if (text.has(original_key)) text.mark(original_key, KeyStatus::ignored, "no scaling is declared");
  if (!sections.empty()) {
    r.set("sections", slash_list(sections));
    if (interleaved) r.set("interleaved", "true");
    return set_scheme(r, "m-rope", trained_positions(r.subject));
  }
  if (!r.subject.as(Dialect::hf)) {
    leave_out_stepwise(r);
  } else if (text.flag("use_dynamic_ntk").value_or(false)) {
    text.mark("use_dynamic_ntk", KeyStatus::used, "beyond the training length the base grows in steps; plain within");
    r.set("rule", "stepwise");
    return set_scheme(r, "dynamic-ntk", trained_positions(r.subject));
  }
  set_scheme(r, "rope", trained_positions(r.subject));
}

void read_linear(const Rotation& r) {
  const auto s = scaling_factor(r);
  if (!s) return;
  Pos before = *r.layer.positions;
  if (const auto given = r.dict().count(original_key)) {
    before = *given;
    r.dict().mark(original_key, KeyStatus::used, "as the training length; the frequencies do not depend on it");
  } else if (*s != 1) {
    r.ledger().warn(fmt::format(
        "linear scaling does not say the length before the extension: max_position_embeddings = {} is taken", before));
  }
  r.set("factor", *s);
  set_scheme(r, "pi", before);
}

void enlarge_base(const Rotation& r, double alpha) {
  r.dict().mark("alpha", KeyStatus::used, "the base times alpha^(d/(d-2)) at every length, as in vLLM and HunYuan");
  if (!(alpha > 0)) return refuse(r, "alpha", "must be > 0");
  if (r.dict().has("factor"))
    r.dict().mark("factor", KeyStatus::overridden, fmt::format("alpha = {} decides", plain_number(alpha)));
  r.layer.base_used = *r.layer.base * std::pow(alpha, static_cast<double>(r.width) / static_cast<double>(r.width - 2));
  if (!(*r.layer.base_used > 1) || !std::isfinite(*r.layer.base_used))
    return refuse(r, "alpha", fmt::format("must give a base > 1, gives {}", plain_number(*r.layer.base_used)));
  r.set("factor", alpha);
  set_scheme(r, "ntk", *r.layer.positions);
}

namespace {

void dynamic(const Rotation& r) {
  if (r.width < 4)
    return r.ledger().error(fmt::format("rotary dimension = {}: must be >= 4 for rope type {}", r.width, r.layer.rope_type));
  if (const auto alpha = r.dict().number("alpha")) return enlarge_base(r, *alpha);
  if (r.dict().has(original_key))
    r.dict().mark(original_key, KeyStatus::ignored, "dynamic scaling starts from max_position_embeddings");
  const auto s = scaling_factor(r);
  if (!s || r.ledger().failed()) return;
  const Pos before = *r.layer.positions;
  r.set("factor", *s);
  set_scheme(r, "dynamic-ntk", before);
  const double power = static_cast<double>(r.width) / static_cast<double>(r.width - 2);
  for (const Pos times : {2, 4})
    r.layer.at_seq_len.push_back(
        {times * before, *r.layer.base * std::pow(*s * static_cast<double>(times) - (*s - 1), power), {}});
  for (const AtLength& at : r.layer.at_seq_len)
    if (!(at.base > 1) || !std::isfinite(at.base))
      return refuse(r, "factor", fmt::format("must give a base > 1, gives {} at length {}", plain_number(at.base), at.length));
}

}  // namespace

void set_bands(const Rotation& r, double factor, double low, double high, Pos before) {
  if (high == low)
    r.ledger().warn(fmt::format("{}: equal to low_freq_factor: a step instead of a blend", r.dict().path("high_freq_factor")));
  if (high < low)
    r.ledger().warn(fmt::format("{} = {}: below low_freq_factor = {}: pairs that turn more often are kept and all others divided",
                                r.dict().path("high_freq_factor"), plain_number(high), plain_number(low)));
  if (before >= *r.layer.positions)
    r.ledger().warn(
        fmt::format("{} = {}: not below max_position_embeddings = {}", r.dict().path(original_key), before, *r.layer.positions));
  r.set("factor", factor);
  r.set("low-freq-factor", std::min(low, high));
  r.set("high-freq-factor", high);
  set_scheme(r, "llama3", before);
}

void read_llama3(const Rotation& r) {
  const auto s = scaling_factor(r), low = positive(r, "low_freq_factor"), high = positive(r, "high_freq_factor");
  const Pos before = length_before(r);
  if (!s || !low || !high) return;
  if (*high < *low && r.subject.as(Dialect::hf))
    return refuse(r, "high_freq_factor", fmt::format("must be >= low_freq_factor = {}", plain_number(*low)));
  set_bands(r, *s, *low, *high, before);
}

void read_proportional(const Rotation& r) {
  std::erase_if(r.layer.encoding.values, [](const auto& v) { return v.first == "rotary-dim"; });
  r.set("partial", *r.layer.partial);
  if (r.source.dict && r.dict().has("factor"))
    if (const auto s = scaling_factor(r)) r.set("factor", *s);
  set_scheme(r, "proportional", *r.layer.positions);
}

bool turns_whole_head(std::string_view type) { return type == "proportional"; }

const TypeReader* reader_of(const Rotation& r, std::span<const TypeReader> all) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const TypeReader& t) { return t.name == r.layer.rope_type; });
  return found == all.end() ? nullptr : &*found;
}

bool read_rope_type(const Rotation& r) {
  if (r.subject.as(Dialect::vllm)) return read_vllm_type(r);
  if (r.subject.as(Dialect::llama_cpp)) return read_llama_cpp_type(r);
  static constexpr TypeReader types[] = {{"default", read_default},
                                         {"linear", read_linear},
                                         {"dynamic", dynamic},
                                         {"xdrope", dynamic},
                                         {"ntk", read_ntk},
                                         {"yarn", read_yarn},
                                         {"deepseek_yarn", read_yarn},
                                         {"telechat3-yarn", read_yarn},
                                         {"longrope", read_longrope},
                                         {"llama3", read_llama3},
                                         {"proportional", read_proportional}};
  const TypeReader* const type = reader_of(r, types);
  if (!type) return false;
  constexpr std::array<std::string_view, 4> foreign{"ntk", "xdrope", "deepseek_yarn", "telechat3-yarn"};
  if (std::find(foreign.begin(), foreign.end(), type->name) != foreign.end() && !r.subject.family.type.starts_with("hunyuan"))
    r.ledger().warn(fmt::format("{} = {}: no type of transformers, which stops at it; read as vLLM reads it",
                                r.dict().path("rope_type"), type->name));
  type->read(r);
  return true;
}

}  // namespace posenc::sources
