#pragma once
// tests: GGUF models as bytes, read and put into words.
#include "sources/gguf_bytes.hpp"
#include "sources/gguf_model.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <memory>
#include <span>

namespace posenc::test {

inline sources::ModelReport read_model(const GgufBytes& g) {
  const auto owner = std::make_shared<const std::string>(g.bytes());
  return read_gguf_model(sources::read_gguf({std::as_bytes(std::span(owner->data(), owner->size())), owner}, "t.gguf"));
}
/// "name=scheme:...", one a layer.
inline std::string words(const sources::ModelReport& r) {
  std::string out;
  for (const auto& l : r.layers)
    out += (out.empty() ? "" : " ") + l.name + "=" + (l.encoding.scheme.empty() ? "-" : sources::encoding_text(l.encoding));
  return out;
}
inline std::string error(const GgufBytes& g) {
  const sources::ModelReport r = read_model(g);
  CHECK(r.layers.empty() == !r.errors.empty());
  return r.errors.empty() ? "none" : r.errors.front();
}
inline const sources::KeyReport& key(const sources::ModelReport& r, const std::string& name) {
  return *std::find_if(r.keys.begin(), r.keys.end(), [&](const auto& k) { return k.key == name; });
}
inline bool warns(const sources::ModelReport& r, const std::string& words) {
  return std::any_of(r.warnings.begin(), r.warnings.end(), [&](const auto& w) { return w.find(words) != std::string::npos; });
}
inline GgufBytes llama() { return gguf_model("llama", 4096, 4096, 32).f32("llama.rope.freq_base", 10000); }

}  // namespace posenc::test
