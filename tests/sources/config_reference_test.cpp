// rotary_expected.json: what each of 63 configurations means, in float64, checked at 40 digits and against the frequencies that
// transformers, vLLM, ggml and others compute. 1e-14 relative: the reference values are doubles computed in a few operations.
#include "sources/config.hpp"

#include "core/error.hpp"
#include "sources/close.hpp"
#include "sources/lowered.hpp"
#include "sources/temporary_file.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;
using sources::LayerReport;
using sources::ModelReport;

namespace {

const json& expectations() {
  static const json all = json::parse(test::bytes_of_file(POSENC_TEST_DATA "/rotary_expected.json"));
  return all;
}

ModelReport read(const std::string& name) { return sources::read_config_file(POSENC_TEST_DATA "/configs/" + name + ".json"); }

void check_facts(const LayerReport& layer, const json& e) {
  CHECK(layer.rope_type == e["rope_type"]);
  CHECK(layer.base == e["base"].get<double>());
  CHECK(layer.head_dim == e["head_dim"].get<model::Pos>());
  CHECK(layer.rotary_dim == e["rotary_dim"].get<model::Pos>());
  CHECK(layer.partial == e["partial_rotary_factor"].get<double>());
  CHECK(layer.layout == e["layout"]);
  CHECK(layer.positions == e["max_position_embeddings"].get<model::Pos>());
  CHECK(layer.mrope_axis == e.value("mrope_axis", ""));
  CHECK(layer.long_above == e.value("switch_when_seq_len_greater_than", model::Pos{0}));
}

void check_lowered(const LayerReport& layer, const json& e) {
  const auto scheme = test::resolved(layer.encoding);
  CHECK(scheme->train_length() == layer.at);
  const model::Encoding used = scheme->lower(layer.at);
  const auto& rotary = *model::form<model::Rotary>(used);
  test::check_close(test::frequencies(used), e["inv_freq"]);
  CHECK(rotary.attention_factor == Approx(e["attention_factor"].get<double>()).epsilon(1e-14));
  CHECK(used.head_dim == e["head_dim"].get<model::Index>());
  const auto half = e["rotary_dim"].get<model::Index>() / 2;
  for (model::Index i = 0; i < rotary.pairs(); ++i) {
    const auto pair = layer.layout == "interleaved" ? std::array{2 * i, 2 * i + 1} : std::array{i, i + half};
    CHECK(rotary.channel[static_cast<std::size_t>(i)] == pair);
  }
  if (e.contains("inv_freq_long")) test::check_close(test::frequencies(scheme->lower(layer.long_above + 1)), e["inv_freq_long"]);
  if (e["details"].contains("softmax_scale_multiplier")) {
    const double multiplier = used.logit_scale * std::sqrt(static_cast<double>(used.head_dim));
    const bool deepseek =
        layer.layout == "interleaved";  // of the two configurations with that detail; Ministral's code has no such factor
    CHECK(multiplier == Approx(deepseek ? e["details"]["softmax_scale_multiplier"].get<double>() : 1.0).epsilon(1e-14));
  }
  const json at = e.value("at_seq_len", json::object());
  REQUIRE(layer.at_seq_len.size() == at.size());
  for (const auto& a : layer.at_seq_len) {
    const json& there = at.at(std::to_string(a.length));
    CHECK(a.base == Approx(there["base_used"].get<double>()).epsilon(1e-13));
    test::check_close(test::frequencies(scheme->lower(a.length)), there["inv_freq"]);
  }
}

}  // namespace

TEST_CASE("every configuration gives the layers, facts and frequencies expected of it") {
  int layers = 0;
  for (const auto& [name, e] : expectations().items()) {
    if (e.contains("error")) continue;
    CAPTURE(name);
    const ModelReport report = read(name);
    REQUIRE(report.errors.empty());
    CHECK(report.model_type == e["model_type"]);
    CHECK(report.scheme == e["scheme"]);
    if (e["scheme"] != "rotary") continue;
    REQUIRE(report.layers.size() == e["layers"].size());
    for (const LayerReport& layer : report.layers) {
      CAPTURE(layer.name);
      REQUIRE(e["layers"].contains(layer.name));
      const json& expected = e["layers"][layer.name];
      if (expected["rope_type"] == "none") {
        CHECK(layer.rope_type == "none");
        CHECK(layer.encoding.scheme.empty());
        continue;
      }
      check_facts(layer, expected);
      check_lowered(layer, expected);
      ++layers;
    }
  }
  CHECK(layers == 52);
}

TEST_CASE("configurations that must be refused name the key") {
  const std::pair<std::string, std::string> errors[] = {
      {"gpt_j_mlc_rope_scaling_gptj", "unknown rope type 'gptj'"},
      {"odd_factor_null", "rope_scaling.factor = null: must be a number"},
      {"odd_longrope_missing_short", "rope_scaling.short_factor: missing for rope type longrope"},
      {"odd_type_conflict", "conflict: rope_scaling.rope_type = 'dynamic' and rope_scaling.type = 'linear'"},
      {"odd_partial_above_one", "partial_rotary_factor = 1.5: must be in [0, 1]"},
      {"odd_rotary_dim_25", "rotary dimension = 25: must be even, positive and at most head_dim = 80"}};
  for (const auto& [name, line] : errors) {
    CAPTURE(name);
    REQUIRE(expectations().at(name).contains("error"));
    const ModelReport report = read(name);
    CHECK(report.errors == std::vector<std::string>{line});
    CHECK(report.layers.empty());
  }
}

TEST_CASE("the JSON has the agreed members") {
  ModelReport report = read("internlm2_5_7b");
  report.layers[0].inv_freq = {1, 0.5};
  const json j = json::parse(sources::to_json(report));
  for (const char* const key : {"model_type", "scheme", "layers", "keys", "warnings", "errors"}) CHECK(j.contains(key));
  const json& layer = j["layers"]["all"];
  for (const char* const key :
       {"rope_type", "base", "rotary_dim", "head_dim", "layout", "attention_factor", "inv_freq", "max_position_embeddings"})
    CHECK(layer.contains(key));
  CHECK(layer["inv_freq"] == json::array({1, 0.5}));
  CHECK(layer["at_seq_len"]["65536"]["base_used"].get<double>() == Approx(3052773.67488067).epsilon(1e-13));
  CHECK(json::parse(sources::to_json(read("lfm2_5_vl_1_6b")))["layers"]["conv"] ==
        json{{"rope_type", "none"}, {"layer_indices", {0, 1, 3, 4, 6, 7, 9, 11, 13, 15}}});
  for (const char* const name : {"gpt2", "t5_small_fixture", "bloom_fixture", "jamba_fixture", "whisper_large_v2_fixture"})
    CHECK(json::parse(sources::to_json(read(name)))["layers"] == json::object());
  for (const auto& [name, e] : expectations().items()) CHECK(json::accept(sources::to_json(read(name))));
}

TEST_CASE("models without rotation lower as their family does") {
  const auto only = [](const std::string& name, std::size_t layer = 0) {
    return test::resolved(read(name).layers.at(layer).encoding)->lower(0);
  };
  const auto rows = [](const model::Encoding& e) { return *model::form<model::AbsoluteTable>(e)->rows->count(); };
  CHECK(rows(only("gpt2")) == 1024);
  CHECK(only("gpt2").width == 768);
  CHECK(rows(only("bert_base")) == 512);
  CHECK(rows(only("opt_1_3b_fixture")) == 2050);
  CHECK(model::form<model::AbsoluteTable>(only("opt_1_3b_fixture"))->row(0) == 2);
  CHECK(model::form<model::Bias>(only("bloom_fixture"))->heads == 16);
  CHECK(model::form<model::Bias>(only("t5_small_fixture"))->buckets == 32);
  CHECK(model::form<model::Bias>(only("t5_small_fixture", 0))->bucket(0, 1) ==
        17);  // encoder: keys after the query have their own
  CHECK(model::form<model::Bias>(only("t5_small_fixture", 1))->bucket(0, 1) == 0);
  CHECK(only("jamba_fixture").terms.empty());
  CHECK(read("whisper_large_v2_fixture").layers[0].at == 1500);
  CHECK(rows(only("whisper_large_v2_fixture", 1)) == 448);
}
