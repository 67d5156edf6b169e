#include "sources/dialect_llama_cpp.hpp"

#include "sources/config_scaling.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>

namespace posenc::sources {
namespace {

using model::Pos;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Three sections, of which the fourth that is written is 0, in the architectures of ggml's MROPE and IMROPE modes; elsewhere,
/// and where they are not all pairs, text turns all the same.
std::vector<double> sections(const Rotation& r) {
  if (!r.source.dict || r.source.base_alone || !r.dict().has("mrope_section")) return {};
  const GgufFamily architecture = llama_cpp_architecture(r.subject);
  if (r.dict().has("mrope_interleaved"))
    r.dict().mark("mrope_interleaved", KeyStatus::ignored, "llama.cpp knows it by the architecture");
  if (!architecture.mixed_sections && architecture.architecture != "qwen2vl")
    return leave_out(r, "mrope_section", "the architecture has one axis"), std::vector<double>{};
  auto list = r.dict().numbers("mrope_section").value_or(std::vector<double>{});
  if (list.size() == 4 && list[3] == 0) list.resize(3);
  double sum = 0;
  bool whole = list.size() == 3;
  for (const double v : list) whole &= v >= 0 && v == std::floor(v), sum += v;
  if (whole && sum == static_cast<double>(r.pairs())) return list;
  r.ledger().warn(
      fmt::format("llama.cpp: {} = {}: not three numbers with sum {}; the encoding is that of text, the same position on "
                  "every axis",
                  r.dict().path("mrope_section"), json_text(*r.dict().value("mrope_section")), r.pairs()));
  return {};
}

void plain(const Rotation& r) {
  const Scope& text = r.subject.text;
  if (text.has(original_key)) text.mark(original_key, KeyStatus::ignored, "no scaling is written");
  leave_out_stepwise(r);
  const std::vector<double> axes = sections(r);
  if (!axes.empty()) {
    const bool mixed = llama_cpp_architecture(r.subject).mixed_sections;
    r.layer.mrope_axis = section_axes(axes, r.pairs(), mixed);
    r.set("sections", slash_list(axes));
    if (mixed) r.set("interleaved", "true");
  }
  set_scheme(r, axes.empty() ? "rope" : "m-rope", trained_positions(r.subject));
  r.layer.rope_type = "default";
}

/// llama.py: the length at the top level alone, and defaults for all four.
void llama3(const Rotation& r) {
  const auto or_default = [&](std::string_view key, double otherwise) {
    if (r.dict().value(key)) return positive(r, key).value_or(otherwise);
    r.dict().defaulted(key, plain_number(otherwise), "llama.cpp's default");
    return otherwise;
  };
  const double s = or_default("factor", 8), low = or_default("low_freq_factor", 1), high = or_default("high_freq_factor", 4);
  const Scope& text = r.subject.text;
  const auto outer = text.count(original_key);
  if (!outer) text.defaulted(original_key, "8192", "llama.cpp reads it at the top level alone; its default");
  const Pos before = outer.value_or(8192);
  if (const auto inner = r.dict().count(original_key)) {
    r.dict().mark(original_key, *inner == before ? KeyStatus::overridden : KeyStatus::conflicting,
                  fmt::format("llama.cpp reads {} at the top level, default 8192", original_key));
    if (*inner != before)
      r.ledger().warn(fmt::format("llama.cpp: {} = {} is not used: it reads that key at the top level of the file, and takes {}",
                                  r.dict().path(original_key), *inner, before));
  }
  if (r.ledger().failed()) return;
  set_bands(r, s, low, high, before);
  r.layer.rope_type = "llama3";
}

/// hunyuan.py: an enlarged base, if its assumptions hold.
void hunyuan(const Rotation& r) {
  const bool dense = r.subject.is("hunyuan_v1_dense"), dynamic = r.layer.rope_type == "dynamic";
  const double otherwise = dense ? 50 : 1000;
  if (!r.dict().value("alpha")) r.dict().defaulted("alpha", plain_number(otherwise), "llama.cpp's default");
  const double alpha = r.dict().value("alpha") ? positive(r, "alpha").value_or(otherwise) : otherwise;
  const Pos all = *r.layer.positions;
  if (dynamic && (*r.layer.base != 10000 || (all != 32768 && all != 262144)))
    return refuse(r, "rope_type", "its converter takes base 10000 and max_position_embeddings 32768 or 262144 for granted");
  if (dynamic && !dense && (alpha != 1000 || *r.layer.head_dim != 128))
    return refuse(r, "alpha", "its converter takes alpha 1000 and 128 channels a head for granted");
  if (r.width < 4) return refuse(r, "alpha", "needs a rotary dimension >= 4");
  enlarge_base(r, alpha);
  if (dynamic) r.layer.positions = 262144;
}

void linear_or_yarn(const Rotation& r) {
  const bool linear = r.layer.rope_type == "linear";
  if (!r.dict().has("factor"))
    return leave_unscaled(r, fmt::format("{} without a factor is an unknown RoPE type to its converter", r.layer.rope_type));
  linear ? read_linear(r) : read_llama_cpp_yarn(r);
}

}  // namespace

void leave_unscaled(const Rotation& r, const std::string& reason) {
  const std::string path = r.dict().path("");
  for (const std::string_view key : {"rope_type", "type"})
    if (r.dict().has(key)) r.dict().mark(key, KeyStatus::overridden, "llama.cpp: " + reason);
  for (const auto& [name, value] : r.dict().members())
    if (!r.ledger().touched(r.dict().path(name))) r.dict().mark(name, KeyStatus::ignored, "llama.cpp: " + reason);
  r.ledger().warn(
      fmt::format("llama.cpp: {} is not used: {}; the rotation is the plain one", path.substr(0, path.size() - 1), reason));
  plain(r);
}

bool read_llama_cpp_type(const Rotation& r) {
  const std::string type = r.layer.rope_type;
  const Conversion* known = conversion_of(r.subject.family.type);
  const Conversion conversion = known ? *known : Conversion{};
  const bool hunyuan_type = r.subject.is("hunyuan_v1_dense") ? type == "dynamic" || type == "xdrope" : type == "dynamic";
  if (!r.source.dict)
    plain(r);
  else if (conversion.lists != WrittenLists::none && type != "default")
    read_llama_cpp_lists(r, conversion);
  else if (conversion.lists == WrittenLists::phi && r.dict().has("long_factor"))
    refuse(r, "rope_type", "missing the required key rope_scaling.type");
  else if (type == "default")
    plain(r);
  else if (conversion.bare || conversion.unscaled)
    leave_unscaled(r, fmt::format("its converter writes no scaling for {}", r.subject.model_type));
  else if (type == "linear" || type == "yarn")
    linear_or_yarn(r);
  else if (hunyuan_type && r.subject.family.type.starts_with("hunyuan_v1"))
    hunyuan(r);
  else if (lower(type) == "llama3" && (conversion.bands || !known))
    llama3(r);
  else if (type == "proportional" && llama_cpp_architecture(r.subject).architecture == "gemma4") {
    read_proportional(r);
    if (r.dict().has("factor")) leave_out(r, "factor", "its divisors are 1 for the pairs that turn");
    std::erase_if(r.layer.encoding.values, [](const auto& v) { return v.first == "factor"; });
  } else if (type == "longrope")
    leave_unscaled(r, fmt::format("its converter writes no lists for {}", r.subject.model_type));
  else if (type == "dynamic" || lower(type) == "llama3")
    leave_unscaled(r, fmt::format("its converter writes nothing for rope type {} of {}", type, r.subject.model_type));
  else
    leave_unscaled(r, fmt::format("Unknown RoPE type: {}", type));
  return true;
}

}  // namespace posenc::sources
