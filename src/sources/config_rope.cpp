#include "sources/config_rope.hpp"

#include "sources/config_query_scale.hpp"
#include "sources/config_rotary.hpp"
#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"
#include "sources/dialect_vllm.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;

/// One name for each kind of scaling.
std::string canonical(const std::string& type) {
  if (type == "su") return "longrope";
  if (type == "mrope") return "default";
  return type;
}

/// Whether the tool refuses two names of one thing that differ; llama.cpp reads the first.
bool conflict(const Rotation& r, const std::string& modern, const std::string& legacy) {
  if (r.subject.as(Dialect::vllm)) return vllm_conflict(modern, legacy);
  return r.subject.as(Dialect::hf) && canonical(modern) != canonical(legacy);
}

std::string rope_type(const Rotation& r) {
  if (!r.source.dict || r.source.base_alone) return std::string(r.source.type);
  const Scope& dict = *r.source.dict;
  const auto modern = dict.word("rope_type"), legacy = dict.word("type");
  if (modern && legacy && conflict(r, *modern, *legacy))
    r.ledger().error(
        fmt::format("conflict: {} = '{}' and {} = '{}'", dict.path("rope_type"), *modern, dict.path("type"), *legacy));
  if (modern && legacy)
    dict.mark("type", canonical(*modern) == canonical(*legacy) ? KeyStatus::overridden : KeyStatus::conflicting,
              fmt::format("rope_type = {} decides", *modern));
  const auto given = modern ? modern : legacy;
  if (!given) {
    dict.defaulted("rope_type", "\"default\"", "no rope_type and no type");
    return "default";
  }
  const std::string type = canonical(*given);
  if (type != *given) dict.mark(modern ? "rope_type" : "type", KeyStatus::used, "as " + type);
  if (*given == "mrope" && !dict.has("mrope_section") && !r.subject.as(Dialect::llama_cpp))
    r.ledger().error(fmt::format("{}: rope_type 'mrope' needs mrope_section", dict.path("mrope_section")));
  return type;
}

/// The base of tools that do not know the class default: 10000, or ml-explore/mlx-lm's own.
double peers_base(const Family& family, double known) {
  if (family.type == "minicpm") return 1e6;
  if (family.type == "cohere2") return 5e4;
  return known == 10000 ? known : 10000;
}

double base(const Rotation& r) {
  const Scope& text = r.subject.text;
  const auto inside = r.source.dict ? r.source.dict->number("rope_theta") : std::nullopt;
  double value = r.source.base;
  if (inside) {
    value = *inside;
    if (!r.source.nested)
      for (const std::string_view name : r.source.base_names)
        text.lost(name, r.dict().path("rope_theta"), value,
                  r.otherwise("", {{"base", text.value(name) ? json_text(*text.value(name)) : ""}}));
  } else if (const auto outside = text.number(r.source.base_names)) {
    value = *outside;
  } else {
    const std::string_view name = r.source.base_names.front();
    const std::string origin =
        r.subject.family.type.empty() ? "the usual base" : fmt::format("class default of {}", r.subject.family.type);
    text.defaulted(name, plain_number(value), origin);
    if (r.ledger().failed()) return value;
    const std::string line = fmt::format("{}: not given: {}, {}", name, plain_number(value), origin);
    const double other = peers_base(r.subject.family, value);
    if (other == value)
      r.ledger().warn(line);
    else
      r.ledger().warn(line, r.otherwise(fmt::format("the base were {}, as other tools take it", plain_number(other)),
                                        {{"base", plain_number(other)}}));
  }
  if (const auto ratio = text.number("rope_ratio")) {
    text.mark("rope_ratio", KeyStatus::used, "multiplies the base");
    value *= *ratio;
  }
  if (!(value > 1)) r.ledger().error(fmt::format("base = {}: must be > 1", plain_number(value)));
  return r.subject.as(Dialect::llama_cpp) ? llama_cpp_base(r.subject, value) : value;
}

std::string layout(const Rotation& r) {
  const Scope& text = r.subject.text;
  bool interleaved = r.subject.family.interleaved;
  const auto flag = text.flag("rope_interleave");
  if (flag && r.subject.as(Dialect::vllm) && scales_softmax(r.subject)) {
    text.mark("rope_interleave", KeyStatus::overridden,
              "vLLM: pairs of neighbouring channels in these models, whatever the key says");
    if (*flag != interleaved)
      r.ledger().warn(
          fmt::format("vLLM: {} = {} is not used: pairs are of neighbouring channels", text.path("rope_interleave"), *flag));
  } else if (flag) {
    text.mark("rope_interleave", KeyStatus::used, "pairs of neighbouring channels");
    interleaved = *flag;
  }
  return interleaved ? "interleaved" : "half_split";
}

/// Every key of the dictionary that nothing has read.
void report_rest(const Rotation& r) {
  if (!r.source.dict) return;
  read_query_scale(*r.source.dict, {&r.layer, 1});
  if (r.source.base_alone) {
    for (const auto& [name, value] : r.dict().members())
      if (!r.ledger().touched(r.dict().path(name)))
        r.dict().mark(name, KeyStatus::ignored, "llama.cpp turns sliding layers without scaling");
    return;
  }
  std::string rest;
  int shown = 0;
  for (const auto& [name, value] : r.dict().members()) {
    if (r.ledger().touched(r.dict().path(name))) continue;
    r.dict().mark(name, KeyStatus::ignored,
                  r.subject.as(Dialect::hf)
                      ? fmt::format("not a key of rope_type {}", r.layer.rope_type)
                      : fmt::format("{} does not read it for rope_type {}", tool_of(r.subject.dialect), r.layer.rope_type));
    if (++shown <= 8) rest += (rest.empty() ? "" : ", ") + name;
  }
  if (shown > 8) rest += fmt::format(" and {} more", shown - 8);
  if (rest.empty()) return;
  const std::string path = r.dict().path("");
  r.ledger().warn(fmt::format("{}: unrecognised for rope_type {}: {}", path.substr(0, path.size() - 1), r.layer.rope_type, rest));
}

}  // namespace

std::vector<double> read_sections(const Rotation& r, bool& interleaved) {
  if (!r.source.dict) return {};
  const Scope& dict = *r.source.dict;
  interleaved = dict.flag("mrope_interleaved").value_or(false);
  if (dict.has("xdrope_section")) dict.mark("xdrope_section", KeyStatus::ignored, "text has the same position on every axis");
  const auto sections = dict.numbers("mrope_section");
  if (!sections) return {};
  double sum = 0;
  bool whole = sections->size() == 3;
  for (const double s : *sections) whole &= s >= 0 && s == static_cast<double>(static_cast<Pos>(std::min(s, 1e9))), sum += s;
  if (!whole || sum != static_cast<double>(r.pairs())) {
    r.ledger().error(fmt::format("{} = {}: must be three integers with sum {}, half the rotary dimension",
                                 dict.path("mrope_section"), json_text(*dict.value("mrope_section")), r.pairs()));
    return {};
  }
  r.layer.mrope_axis = section_axes(*sections, r.pairs(), interleaved);
  return *sections;
}

std::string section_axes(const std::vector<double>& sections, Pos pairs, bool interleaved) {
  const auto size = [&](std::size_t axis) { return static_cast<Pos>(sections[axis]); };
  std::string out;
  for (Pos i = 0; i < pairs; ++i) {
    const char mixed = i % 3 == 1 && i < 3 * size(1) ? 'h' : i % 3 == 2 && i < 3 * size(2) ? 'w' : 't';
    const char chunked = i < size(0) ? 't' : i < size(0) + size(1) ? 'h' : 'w';
    out += interleaved ? mixed : chunked;
  }
  return out;
}

LayerReport rope_layer(const Subject& subject, const std::string& name, const RopeSource& source) {
  LayerReport layer;
  layer.name = name;
  Rotation r{subject, source, layer};
  layer.rope_type = rope_type(r);
  layer.positions = positions(subject);
  if (subject.family.type.starts_with("gemma4") && name == "full_attention") {
    layer.head_dim = subject.text.count("global_head_dim");
    if (!layer.head_dim) subject.text.defaulted("global_head_dim", "512", "class default of gemma4_text"), layer.head_dim = 512;
  } else {
    layer.head_dim = head_dim(subject);
  }
  layer.base = base(r);
  layer.layout = layout(r);
  if (!layer.head_dim) return layer;
  if (*layer.head_dim > widest_head) {
    r.ledger().error(fmt::format("head_dim = {}: must be <= {}", *layer.head_dim, widest_head));
    return layer;
  }
  r.width = rotary_dim(r);
  layer.rotary_dim = r.width;
  if (r.ledger().failed()) return layer;
  const bool still = *layer.partial == 0 && layer.rope_type == "default" && !subject.as(Dialect::vllm);
  if ((r.width <= 0 && !still) || r.width % 2 != 0 || r.width > *layer.head_dim) {
    r.ledger().error(
        fmt::format("rotary dimension = {}: must be even, positive and at most head_dim = {}", r.width, *layer.head_dim));
    return layer;
  }
  if (*layer.head_dim % 2 != 0) {
    r.ledger().error(fmt::format("head_dim = {}: must be even", *layer.head_dim));
    return layer;
  }
  r.set("dim", *layer.head_dim);
  r.set("base", *layer.base);
  if (r.width != *layer.head_dim) r.set("rotary-dim", r.width);
  r.set("layout", layer.layout);
  if (!read_rope_type(r)) r.ledger().error(fmt::format("unknown rope type '{}'", layer.rope_type));
  if (!r.ledger().failed()) report_rest(r);
  return layer;
}

}  // namespace posenc::sources
