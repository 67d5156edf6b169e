#pragma once
// tests: a model's file as `inspect` reads it.
#include "app/model_layers.hpp"
#include "sources/config.hpp"
#include "support/cases.hpp"

namespace posenc::test {

/// The report of a Llama of 32 heads of 128 channels and 4096 positions with these keys more or otherwise; frequencies filled in.
inline sources::ModelReport inspected(const nlohmann::json& keys) {
  nlohmann::json config{
      {"model_type", "llama"}, {"hidden_size", 4096}, {"num_attention_heads", 32}, {"max_position_embeddings", 4096}};
  config.update(keys);
  sources::ModelReport report = sources::read_config(config.dump(), "config.json");
  app::fill_frequencies(report);
  return report;
}
inline const sources::KeyReport& key_of(const sources::ModelReport& report, const std::string& name) {
  for (const auto& k : report.keys)
    if (k.key == name) return k;
  FAIL("no key " << name);
  return report.keys.front();
}
/// Whether one warning names every one of the words.
inline bool warns_of(const sources::ModelReport& report, std::initializer_list<std::string> words) {
  return std::any_of(report.warnings.begin(), report.warnings.end(), [&](const auto& line) { return names_all(line, words); });
}

}  // namespace posenc::test
