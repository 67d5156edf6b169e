#include "sources/config_scaling.hpp"
#include "sources/dialect_llama_cpp.hpp"

#include <fmt/format.h>

namespace posenc::sources {

using model::Pos;

GgufFamily llama_cpp_architecture(const Subject& s) {
  const Conversion* known = conversion_of(s.family.type);
  const GgufFamily* family = known ? gguf_family(known->architecture) : nullptr;
  return family ? *family : GgufFamily{};
}

bool note_conversion(const Subject& s) {
  if (!conversion_of(s.family.type)) {
    s.text.ledger().warn(
        fmt::format("llama.cpp: model_type \"{}\": its conversion is not known here: the general rules are taken", s.model_type));
    return false;
  }
  const bool permuted = llama_cpp_architecture(s).interleaved && !s.family.interleaved;
  s.text.mark(
      "model_type", KeyStatus::used,
      fmt::format(
          "llama.cpp: architecture {}{}; angles are float32 products of one ratio, off by up to 1.2e-6 of their value",
          conversion_of(s.family.type)->architecture,
          permuted ? ", whose channels the converter permutes: neighbours are pairs there, the scores are the same" : ""));
  return true;
}

RopeSource llama_cpp_source(const Subject& s, const std::string& layer, const RopeSource& own, const RopeSource& full) {
  if (layer != "sliding_attention" || !conversion_of(s.family.type)) return own;
  const Sliding kind = llama_cpp_architecture(s).sliding;
  if (kind == Sliding::own_base) {
    RopeSource out = own;
    out.base_alone = true;
    return out;
  }
  RopeSource out = full;
  out.base_alone = kind == Sliding::unscaled;
  const bool differs = own.nested && full.nested && json_text(*own.dict->self()) != json_text(*full.dict->self());
  if (differs && kind == Sliding::alike) {
    for (const auto& [name, value] : own.dict->members())
      own.dict->mark(name, KeyStatus::ignored, "llama.cpp turns these layers as those of full_attention");
    s.text.ledger().warn(fmt::format("llama.cpp: {} is not used: its code of {} has one rotation, that of full_attention",
                                     own.dict->path("").substr(0, own.dict->path("").size() - 1), s.model_type));
  }
  return out;
}

double llama_cpp_base(const Subject& s, double base) {
  const Conversion* known = conversion_of(s.family.type);
  if (!known || !known->bare) return base;
  if (base != 10000)
    s.text.ledger().warn(fmt::format("llama.cpp: base {} is not used: its converter writes none for {}, and 10000 is taken",
                                     plain_number(base), s.model_type));
  return 10000;
}

Pos llama_cpp_width(const Rotation& r, Pos head, double share) {
  const Subject& s = r.subject;
  const Conversion* known = conversion_of(s.family.type);
  const auto width = static_cast<Pos>(static_cast<double>(head) * share);
  if (!known) return width;
  if (!known->partial) {
    if (share != 1)
      s.text.ledger().warn(
          fmt::format("llama.cpp: partial_rotary_factor = {} is not used: its converter writes none for {}, and the "
                      "whole head turns",
                      plain_number(share), s.model_type));
    return head;
  }
  if (!s.family.type.starts_with("phi")) return width;
  const auto hidden = model_width(s), count = heads(s);  // phi.py: int(share * hidden_size) // heads
  if (!hidden || !count) return width;
  return static_cast<Pos>(share * static_cast<double>(*hidden)) / *count;
}

}  // namespace posenc::sources
