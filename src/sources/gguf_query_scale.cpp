#include "sources/gguf_query_scale.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

void llama4(const GgufSubject& s, std::span<LayerReport> layers) {
  bool any = false;
  for (LayerReport& l : layers) {
    if (l.encoding.scheme != "nope") continue;
    any = true;
    l.encoding.values.emplace_back("attn-scale", "0.1");
    l.encoding.values.emplace_back("floor-scale", "8192");
  }
  if (any) s.keys.defaulted(s.key("attention.temperature_scale"), "0.1", "in llama.cpp's code of llama4, each 8192 positions");
}

}  // namespace

void read_gguf_query_scale(const GgufSubject& s, std::span<LayerReport> layers) {
  if (s.is("llama4")) return llama4(s, layers);
  const std::string key = s.key("attention.temperature_scale"), length = s.key("attention.temperature_length");
  const auto scale = s.keys.number(key);
  const auto step = s.keys.count(length);
  if (!scale || *scale == 0) return;
  if (*scale < 0) return s.ledger().error(fmt::format("{} = {}: must be >= 0", key, plain_number(*scale)));
  bool taken = false;
  for (LayerReport& l : layers) {
    if (l.encoding.scheme != "yarn" || (step && *step != l.at)) continue;
    l.encoding.values.emplace_back("query-beta", plain_number(*scale));
    taken = true;
  }
  s.keys.mark(key, taken ? KeyStatus::used : KeyStatus::ignored, "scales queries by their position");
  if (!taken) s.ledger().warn(fmt::format("{}: queries are also scaled by their position, which the encoding leaves out", key));
}

}  // namespace posenc::sources
