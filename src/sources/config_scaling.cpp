#include "sources/config_scaling.hpp"

#include <fmt/format.h>

namespace posenc::sources {

using model::Pos;

void refuse(const Rotation& r, std::string_view key, const std::string& rule) {
  const std::string value = r.dict().value(key) ? " = " + json_brief(*r.dict().value(key)) : "";
  r.ledger().error(fmt::format("{}{}: {}", r.dict().path(key), value, rule));
}

std::optional<double> required(const Rotation& r, std::string_view key) {
  const auto v = r.dict().number(key);
  if (!v && !r.dict().value(key)) refuse(r, key, fmt::format("missing for rope type {}", r.layer.rope_type));
  if (!v && r.dict().value(key) && !r.dict().has(key)) refuse(r, key, "must be a number");
  return v;
}

std::optional<double> positive(const Rotation& r, std::string_view key) {
  const auto v = required(r, key);
  if (v && !(*v > 0)) refuse(r, key, "must be > 0");
  return v;
}

std::optional<double> scaling_factor(const Rotation& r) {
  const auto s = positive(r, "factor");
  if (s && *s > 0x1p53) refuse(r, "factor", "must be <= 2^53, the longest text");
  if (s && *s < 1)
    r.ledger().warn(fmt::format("{} = {}: below 1, the context shrinks", r.dict().path("factor"), plain_number(*s)),
                    r.otherwise("its inverse were meant", {{"factor", plain_number(1 / *s)}}));
  if (s && r.subject.as(Dialect::hf) && r.dict().value("factor")->kind == Json::Kind::integer)
    r.dict().mark("factor", KeyStatus::used, "an integer: transformers 4.31 to 4.42 refused it");
  return s;
}

Pos length_before(const Rotation& r) {
  const Scope& text = r.subject.text;
  if (const auto outer = r.source.nested ? std::nullopt : text.count(original_key)) {
    const Json* inner = r.dict().value(original_key);
    r.dict().lost(original_key, text.path(original_key), static_cast<double>(*outer),
                  r.otherwise("", {{"original", inner ? json_text(*inner) : ""}}));
    return *outer;
  }
  if (const auto inner = r.dict().count(original_key)) return *inner;
  if (r.ledger().failed()) return *r.layer.positions;
  if (r.subject.as(Dialect::vllm)) {
    refuse(r, original_key, fmt::format("missing for rope type {}", r.layer.rope_type));
    r.ledger().warn(fmt::format("vLLM: {}: transformers 5 fills it in with max_position_embeddings before vLLM reads it",
                                r.dict().path(original_key)));
    return *r.layer.positions;
  }
  r.dict().defaulted(original_key, std::to_string(*r.layer.positions), "max_position_embeddings");
  r.ledger().warn(fmt::format("{}: not given: max_position_embeddings = {} (vLLM refuses such a file)",
                              r.dict().path(original_key), *r.layer.positions));
  return *r.layer.positions;
}

void warn_of_ratio(const Rotation& r, double s, Pos before, double (*magnitude)(double factor, double before)) {
  const double implied = static_cast<double>(*r.layer.positions) / static_cast<double>(before);
  std::vector<std::pair<std::string, std::string>> otherwise{{"factor", plain_number(implied)}};
  if (magnitude) otherwise.emplace_back("attention-factor", plain_number(magnitude(implied, static_cast<double>(before))));
  if (implied != 1 && implied != s)
    r.ledger().warn(fmt::format("{} = {} is used, though max_position_embeddings / original = {}", r.dict().path("factor"),
                                plain_number(s), plain_number(implied)),
                    r.otherwise(fmt::format("the factor were {}", plain_number(implied)), std::move(otherwise)));
}

std::optional<double> unread_number(const Rotation& r, std::string_view key) {
  const Json* v = r.dict().value(key);
  return v && (v->kind == Json::Kind::number || v->kind == Json::Kind::integer) ? std::optional(v->number) : std::nullopt;
}

void leave_out(const Rotation& r, std::string_view key, const std::string& reason) {
  r.dict().mark(key, KeyStatus::ignored, reason);
  r.ledger().warn(fmt::format("{}: {} = {} is not used: {}", tool_of(r.subject.dialect), r.dict().path(key),
                              json_text(*r.dict().value(key)), reason));
}

void leave_out_stepwise(const Rotation& r) {
  constexpr std::string_view key = "use_dynamic_ntk";
  const Json* v = r.subject.text.value(key);
  if (!v) return;
  const std::string_view tool = tool_of(r.subject.dialect);
  r.subject.text.mark(key, KeyStatus::ignored, fmt::format("{} does not read it", tool));
  if (v->boolean) r.ledger().warn(fmt::format("{}: {} = true is not used: it does not read it", tool, r.subject.text.path(key)));
}

void set_scheme(const Rotation& r, std::string name, Pos trained) {
  r.layer.encoding.scheme = std::move(name);
  r.set("original", trained);
  r.layer.at = trained;
}

std::string slash_list(const std::vector<double>& list) {
  std::string out;
  for (const double v : list) out += (out.empty() ? "" : "/") + plain_number(v);
  return out;
}

}  // namespace posenc::sources
