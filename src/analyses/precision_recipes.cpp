#include "analyses/precision_recipes.hpp"

#include "core/field.hpp"

#include <algorithm>
#include <array>
#include <sstream>

namespace posenc::analyses {
namespace {

using math::bf16_format;
using math::f16_format;
using math::f32_format;
using math::Stages;
using From = Stages::Recurrence;

const std::array all{
    Recipe{"float32", {&f32_format, &f32_format, &f32_format, &f32_format, From::none}},
    Recipe{"float32-frequency", {.frequency = &f32_format}},
    Recipe{"float32-positions", {.position = &f32_format}},
    Recipe{"float32-angle", {.angle = &f32_format}},
    Recipe{"float32-storage", {.storage = &f32_format}},
    Recipe{"float32-output", {}, &f32_format},
    Recipe{"bf16-frequency", {.frequency = &bf16_format}},
    Recipe{"bf16-positions", {.position = &bf16_format}},
    Recipe{"bf16-angle", {.angle = &bf16_format}},
    Recipe{"bf16-storage", {.storage = &bf16_format}},
    Recipe{"bf16-output", {}, &bf16_format},
    Recipe{"bf16-all", {&bf16_format, &bf16_format, &bf16_format, &bf16_format, From::none}, &bf16_format},
    Recipe{"fp16-frequency", {.frequency = &f16_format}},
    Recipe{"fp16-positions", {.position = &f16_format}},
    Recipe{"fp16-angle", {.angle = &f16_format}},
    Recipe{"fp16-storage", {.storage = &f16_format}},
    Recipe{"fp16-output", {}, &f16_format},
    Recipe{"fp16-all", {&f16_format, &f16_format, &f16_format, &f16_format, From::none}, &f16_format},
    Recipe{"float32-bf16", {&f32_format, &f32_format, &f32_format, &bf16_format, From::none}, &bf16_format},
    Recipe{"recurrence32-frequency", {.recurrence = From::frequency}},
    Recipe{"recurrence32-angle", {.recurrence = From::angle}},
};

std::string format_word(const math::BinaryFormat* f) {
  return f == &f32_format ? "float32" : f == &bf16_format ? "bf16" : "fp16";
}

}  // namespace

std::span<const Recipe> recipes() { return all; }

std::vector<const Recipe*> named(const std::string& names) {
  std::vector<std::string> wanted;
  std::stringstream text(names);
  for (std::string name; std::getline(text, name, '/');) wanted.push_back(name);
  std::vector<std::string_view> known;
  for (const Recipe& r : all) known.emplace_back(r.name);
  for (const std::string& name : wanted)
    if (name != "all" && std::find(known.begin(), known.end(), name) == known.end()) unknown("recipe", name, known);
  std::vector<const Recipe*> out;
  for (const Recipe& r : all)
    for (const std::string& name : wanted)
      if ((name == "all" || name == r.name) && (out.empty() || out.back() != &r)) out.push_back(&r);
  return out;
}

std::string Recipe::words() const {
  if (stages.recurrence == From::frequency) return "frequency by float32 products from the first";
  if (stages.recurrence == From::angle) return "angle by float32 products from the position";
  std::string out;
  const auto add = [&](const char* stage, const math::BinaryFormat* f) {
    if (f) out += (out.empty() ? "" : ", ") + std::string(stage) + " " + format_word(f);
  };
  add("frequency", stages.frequency);
  add("position", stages.position);
  add("angle", stages.angle);
  add("cosine and sine", stages.storage);
  add("rotated query and key", output);
  return out;
}

}  // namespace posenc::analyses
