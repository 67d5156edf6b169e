// dialects.json: what vLLM and llama.cpp make of files that transformers reads otherwise, from tools/reference/dialects.py in 50
// digits. 1e-14 relative: a dozen roundings of a double, and the attention factor's logarithm.
#include "sources/close.hpp"
#include "sources/config.hpp"
#include "sources/gguf_words.hpp"
#include "sources/lowered.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;
using sources::Dialect;
using sources::KeyStatus;
using sources::LayerReport;
using sources::ModelReport;

namespace {

const json& cases() {
  static const json all = json::parse(test::bytes_of_file(POSENC_TEST_DATA "/dialects.json"));
  return all;
}
Dialect dialect(const std::string& word) {
  const auto at = std::find(sources::dialect_words.begin(), sources::dialect_words.end(), word);
  REQUIRE(at != sources::dialect_words.end());
  return static_cast<Dialect>(at - sources::dialect_words.begin());
}
ModelReport read(const json& config, Dialect as) { return sources::read_config(config.dump(), "config.json", as); }

void check_layer(const LayerReport& layer, const json& e) {
  const auto scheme = test::resolved(layer.encoding);
  const model::Encoding used = scheme->lower(layer.at);
  test::check_close(test::frequencies(used), e["inv_freq"]);
  CHECK(model::form<model::Rotary>(used)->attention_factor == Approx(e["attention_factor"].get<double>()).epsilon(1e-14));
  CHECK(used.logit_scale * std::sqrt(static_cast<double>(used.head_dim)) == Approx(e.value("softmax", 1.0)).epsilon(1e-14));
  CHECK((layer.long_above > 0) == e.contains("inv_freq_long"));
  if (e.contains("inv_freq_long")) test::check_close(test::frequencies(scheme->lower(layer.long_above + 1)), e["inv_freq_long"]);
  if (e.contains("beyond")) test::check_close(test::frequencies(scheme->lower(4 * layer.at)), e["beyond"]);
  if (e.contains("positions")) CHECK(layer.positions == e["positions"].get<model::Pos>());
  if (e.contains("rotary_dim")) CHECK(layer.rotary_dim == e["rotary_dim"].get<model::Pos>());
  if (e.contains("base")) CHECK(layer.base == e["base"].get<double>());
  if (e.contains("layout")) CHECK(layer.layout == e["layout"]);
}

/// What two readings of one file must differ in for a case to be worth its place.
std::string summary(const ModelReport& report) {
  std::string out = report.errors.empty() ? "" : "refused";
  for (const LayerReport& l : report.layers)
    out += l.name + sources::encoding_text(l.encoding) + std::to_string(l.positions.value_or(0)) + ";";
  return out;
}
KeyStatus status(const ModelReport& report, const std::string& key, std::string_view note) {
  const auto at = std::find_if(report.keys.begin(), report.keys.end(), [&](const auto& k) { return k.key == key; });
  REQUIRE(at != report.keys.end());
  CAPTURE(at->note);
  CHECK(at->note.find(note) != std::string::npos);
  return at->status;
}
const json& config(const std::string& name) {
  return std::find_if(cases().begin(), cases().end(), [&](const json& c) { return c["name"] == name; })->at("config");
}

}  // namespace

TEST_CASE("every file is read as the tool reads it, and not as transformers does") {
  int layers = 0, errors = 0;
  for (const json& c : cases()) {
    CAPTURE(c["name"].get<std::string>(), c["as"].get<std::string>());
    const ModelReport report = read(c["config"], dialect(c["as"])), hf = read(c["config"], Dialect::hf);
    CHECK(report.dialect == c["as"]);
    CHECK(summary(report) != summary(hf));
    const json& expect = c["expect"];
    if (expect.contains("error")) {
      CHECK(report.errors == std::vector<std::string>{expect["error"].get<std::string>()});
      CHECK(report.layers.empty());
      CHECK(hf.errors.empty());
      ++errors;
      continue;
    }
    CHECK(report.errors.empty());
    REQUIRE(report.layers.size() == expect["layers"].size());
    for (const LayerReport& layer : report.layers) {
      CAPTURE(layer.name);
      REQUIRE(expect["layers"].contains(layer.name));
      check_layer(layer, expect["layers"][layer.name]);
      ++layers;
    }
  }
  CHECK(cases().size() == 61);
  CHECK(layers == 52);
  CHECK(errors == 13);
}

TEST_CASE("a key that the tool does not read is ignored, with a note that names the tool") {
  const ModelReport deepseek =
      read(config("DeepSeek V3: attention_factor is not read, attn_factor multiplies, the ramp is rounded"), Dialect::vllm);
  CHECK(status(deepseek, "rope_scaling.attention_factor", "is computed") == KeyStatus::ignored);
  CHECK(status(deepseek, "rope_scaling.truncate", "whole pairs") == KeyStatus::ignored);
  CHECK(status(deepseek, "rope_scaling.mscale_all_dim", "multiplies the scores") == KeyStatus::used);
  for (const std::string& w : deepseek.warnings) CHECK(w.find("vLLM: ") == 0);
  const ModelReport lists = read(config("longrope: long_mscale is the attention factor"), Dialect::vllm);
  CHECK(status(lists, "rope_scaling.short_factor", "max_model_len = 131072 decides") == KeyStatus::overridden);
  CHECK(status(lists, "rope_scaling.short_mscale", "not in use") == KeyStatus::ignored);
  CHECK(status(lists, "rope_scaling.long_mscale", "in place of the attention factor") == KeyStatus::used);
  const ModelReport pairs = read(config("DeepSeek V3: rope_interleave is not read"), Dialect::vllm);
  CHECK(status(pairs, "rope_interleave", "vLLM: ") == KeyStatus::overridden);
  const ModelReport llama3 = read(config("llama3: the original length inside is not read"), Dialect::llama_cpp);
  CHECK(status(llama3, "rope_scaling.original_max_position_embeddings", "llama.cpp reads") == KeyStatus::conflicting);
  CHECK(status(llama3, "original_max_position_embeddings", "top level alone") == KeyStatus::defaulted);
  CHECK(status(llama3, "model_type", "neighbours are pairs there, the scores are the same") == KeyStatus::used);
  const ModelReport dynamic = read(config("dynamic scaling is left out"), Dialect::llama_cpp);
  CHECK(status(dynamic, "rope_scaling.factor", "llama.cpp: ") == KeyStatus::ignored);
  CHECK(status(dynamic, "rope_scaling.type", "llama.cpp: ") == KeyStatus::overridden);
  CHECK(dynamic.warnings == std::vector<std::string>{"llama.cpp: rope_scaling is not used: its converter writes nothing for rope "
                                                     "type dynamic of llama; the rotation is the plain one"});
}

TEST_CASE("keys beside the dictionaries of layer types: vLLM drops them with a warning") {
  json shared = config("proportional has no factor");
  shared["rope_parameters"]["rope_theta"] = 1e6;
  const ModelReport report = read(shared, Dialect::vllm);
  CHECK(report.layers.size() == 2);
  CHECK(std::count(report.warnings.begin(), report.warnings.end(),
                   "rope_parameters.rope_theta is not used: vLLM drops it, as the layer types have dictionaries of their own") ==
        1);
}

TEST_CASE("a file without scaling is the same to all, and its dialect is told") {
  for (const char* const name : {"llama_2_7b", "qwen3_0_6b", "gemma_2b", "olmo2_7b", "gpt2", "t5_small_fixture"}) {
    CAPTURE(name);
    const json plain = json::parse(test::bytes_of_file(std::string(POSENC_TEST_DATA "/configs/") + name + ".json"));
    for (const Dialect as : {Dialect::vllm, Dialect::llama_cpp})
      CHECK(summary(read(plain, as)) == summary(read(plain, Dialect::hf)));
  }
  CHECK(json::parse(sources::to_json(read(config("dynamic scaling is left out"), Dialect::llama_cpp)))["dialect"] == "llama.cpp");
}

TEST_CASE("every configuration is read or refused in every dialect, and what is read can be lowered") {
  const json all = json::parse(test::bytes_of_file(POSENC_TEST_DATA "/rotary_expected.json"));
  for (const auto& [name, e] : all.items())
    for (const Dialect as : {Dialect::vllm, Dialect::llama_cpp}) {
      CAPTURE(name, sources::word_of(as));
      const ModelReport report = sources::read_config_file(POSENC_TEST_DATA "/configs/" + name + ".json", as);
      for (const std::string& line : report.errors) CHECK(line.find(std::string(sources::tool_of(as)) + ": ") == 0);
      for (const LayerReport& l : report.layers)
        if (!l.encoding.scheme.empty()) CHECK(test::resolved(l.encoding)->train_length() == l.at);
    }
}

TEST_CASE("a file as llama.cpp reads it is the GGUF file that its converter makes of it") {
  const auto word = [](const ModelReport& r) { return sources::encoding_text(r.layers.at(0).encoding); };
  CHECK(word(read(config("gpt-oss: the ends of the ramp are rounded"), Dialect::llama_cpp)) ==
        word(test::read_model(test::gguf_model("gpt-oss", 131072, 512, 8)
                                  .f32("gpt-oss.rope.freq_base", 150000)
                                  .text("gpt-oss.rope.scaling.type", "yarn")
                                  .f32("gpt-oss.rope.scaling.factor", 32)
                                  .f32("gpt-oss.rope.scaling.yarn_beta_fast", 32)
                                  .f32("gpt-oss.rope.scaling.yarn_beta_slow", 1)
                                  .u32("gpt-oss.rope.scaling.original_context_length", 4096))));
  CHECK(word(read(config("DeepSeek V2: mscale is taken for mscale_all_dim"), Dialect::llama_cpp)) ==
        word(test::read_model(test::gguf_model("deepseek2", 163840, 2048, 16)
                                  .u32("deepseek2.attention.key_length", 192)
                                  .u32("deepseek2.attention.kv_lora_rank", 512)
                                  .u32("deepseek2.rope.dimension_count", 64)
                                  .f32("deepseek2.rope.freq_base", 10000)
                                  .text("deepseek2.rope.scaling.type", "yarn")
                                  .f32("deepseek2.rope.scaling.factor", 40)
                                  .f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F)
                                  .u32("deepseek2.rope.scaling.original_context_length", 4096))));
}

TEST_CASE("any odd value of any key is read or refused, and what is read can be made") {
  const json odd = json::parse(R"([null, -1, 0, 1e308, 5e-324, "x", [], {}, true, 0.5, 3, [1, 2, 3]])");
  const auto tried = [&](const json& config, Dialect as) {
    CAPTURE(config.dump(), sources::word_of(as));
    const ModelReport report = read(config, as);
    for (const LayerReport& l : report.layers)
      if (!l.encoding.scheme.empty()) CHECK(test::thrown([&] { test::resolved(l.encoding)->lower(l.at); }) == "nothing");
  };
  for (const json& c : cases())
    for (const char* const place : {"", "/rope_scaling", "/rope_parameters"}) {
      const json::json_pointer at(place);
      if (!c["config"].contains(at) || !c["config"][at].is_object()) continue;
      json object = c["config"][at];
      for (const char* const key :
           {"beta_fast", "beta_slow", "mscale", "mscale_all_dim", "attention_factor", "extrapolation_factor", "truncate", "alpha",
            "mrope_section", "attn_factor", "original_max_position_embeddings"})
        if (*place) object.emplace(key, nullptr);
      for (const auto& [key, unused] : object.items())
        for (const json& value : odd) {
          json changed = c["config"];
          changed[at][key] = value;
          for (const Dialect as : {dialect(c["as"]), Dialect::hf}) tried(changed, as);
        }
    }
}
