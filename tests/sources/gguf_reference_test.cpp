// The GGUF forms of models in rotary_expected.json: their frequencies, checked against the same references as config.json's.
// Plain numbers are exact in float32 and agree to 1e-14, as there; tensors of factors are float32 and agree to 2e-7.
#include "model/views/traits.hpp"
#include "sources/config.hpp"
#include "sources/gguf_bytes.hpp"
#include "sources/gguf_model.hpp"
#include "sources/lowered.hpp"
#include "sources/temporary_file.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;
using sources::LayerReport;
using sources::ModelReport;
using test::gguf_model;
using test::GgufBytes;

namespace {

constexpr double exact = 1e-14, stored = 2e-7;

ModelReport read(const GgufBytes& g) {
  const auto owner = std::make_shared<const std::string>(g.bytes());
  return read_gguf_model(sources::read_gguf({std::as_bytes(std::span(owner->data(), owner->size())), owner}, "t.gguf"));
}
const json& layer_of(const std::string& model, const std::string& layer) {
  static const json all = json::parse(test::bytes_of_file(POSENC_TEST_DATA "/rotary_expected.json"));
  return all.at(model).at("layers").at(layer);
}
ModelReport config(const std::string& name) { return sources::read_config_file(POSENC_TEST_DATA "/configs/" + name + ".json"); }

void check_close(const std::vector<double>& got, const json& expected, double tolerance) {
  REQUIRE(got.size() == expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    CAPTURE(i, got[i], expected[i].get<double>());
    CHECK(std::abs(got[i] - expected[i].get<double>()) <= tolerance * std::abs(expected[i].get<double>()));
  }
}
void check(const LayerReport& layer, const json& e, double tolerance) {
  CHECK(layer.rope_type == e["rope_type"]);
  CHECK(layer.base == e["base"].get<double>());
  CHECK(layer.head_dim == e["head_dim"].get<model::Pos>());
  CHECK(layer.rotary_dim == e["rotary_dim"].get<model::Pos>());
  CHECK(layer.mrope_axis == e.value("mrope_axis", ""));
  const auto scheme = test::resolved(layer.encoding);
  const model::Encoding used = scheme->lower(layer.at);
  check_close(test::frequencies(used), e["inv_freq"], tolerance);
  CHECK(model::form<model::Rotary>(used)->attention_factor == Approx(e["attention_factor"].get<double>()).epsilon(tolerance));
  if (e.contains("inv_freq_long")) {
    CHECK(layer.long_above == e["switch_when_seq_len_greater_than"].get<model::Pos>());
    check_close(test::frequencies(scheme->lower(layer.long_above + 1)), e["inv_freq_long"], tolerance);
  }
}
std::string word(const ModelReport& r, std::size_t layer = 0) { return sources::encoding_text(r.layers.at(layer).encoding); }

}  // namespace

TEST_CASE("Llama 2: neighbouring channels are pairs, as llama.cpp permutes them") {
  const auto r =
      read(gguf_model("llama", 4096, 4096, 32).u32("llama.rope.dimension_count", 128).f32("llama.rope.freq_base", 10000));
  CHECK(word(r) == "rope:dim=128,base=10000,layout=interleaved,original=4096");
  CHECK(r.warnings.empty());
  check(r.layers[0], layer_of("llama_2_7b", "all"), exact);
}

TEST_CASE("Llama 3.1: the rule is found in the tensor of divisors") {
  // The divisors by the published form, of wavelengths, rounded to float32 as the converter does.
  std::vector<double> factors;
  for (int i = 0; i < 64; ++i) {
    const double wave = 2 * M_PI * std::pow(500000.0, i / 64.0), smooth = (8192 / wave - 1) / 3;
    factors.push_back(wave < 8192 / 4.0 ? 1 : wave > 8192 ? 8 : 1 / ((1 - smooth) / 8 + smooth));
  }
  auto g = gguf_model("llama", 131072, 4096, 32).u32("llama.rope.dimension_count", 128).f32("llama.rope.freq_base", 500000);
  auto r = read(GgufBytes(g).factors("rope_freqs.weight", factors));
  CHECK(word(r) == "llama3:dim=128,base=500000,layout=interleaved,factor=8,low-freq-factor=1,high-freq-factor=4,original=8192");
  check(r.layers[0], layer_of("llama_3_1_8b", "all"), exact);
  CHECK(r.warnings.empty());
  factors[35] *= 1.0001;
  r = read(GgufBytes(g).factors("rope_freqs.weight", factors));
  CHECK(r.layers[0].encoding.scheme == "longrope");
  REQUIRE(r.warnings.size() == 1);
  CHECK(r.warnings[0].find("rope_freqs.weight: follows no known rule") == 0);
}

TEST_CASE("yarn of Qwen 2.5 gives config.json's own encoding") {
  const auto r = read(gguf_model("qwen2", 32768, 3584, 28)
                          .f32("qwen2.rope.freq_base", 1e6F)
                          .text("qwen2.rope.scaling.type", "yarn")
                          .f32("qwen2.rope.scaling.factor", 4)
                          .u32("qwen2.rope.scaling.original_context_length", 32768));
  CHECK(word(r) == sources::encoding_text(config("qwen2_5_7b_yarn_option").layers.at(0).encoding));
  check(r.layers[0], layer_of("qwen2_5_7b_yarn_option", "all"), exact);
}

TEST_CASE("Gemma 3: the scaling is that of full layers alone") {
  const auto r = read(gguf_model("gemma3", 131072, 2560, 8)
                          .u32("gemma3.block_count", 34)
                          .u32("gemma3.attention.key_length", 256)
                          .u32("gemma3.attention.sliding_window", 1024)
                          .f32("gemma3.rope.freq_base", 1e6F)
                          .text("gemma3.rope.scaling.type", "linear")
                          .f32("gemma3.rope.scaling.factor", 8));
  const auto c = config("gemma3_4b_linear8");
  REQUIRE(r.layers.size() == 2);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(r.layers[k].name == c.layers.at(k).name);
    CHECK(word(r, k) == sources::encoding_text(c.layers.at(k).encoding));
    check(r.layers[k], layer_of("gemma3_4b_linear8", r.layers[k].name), exact);
  }
}

TEST_CASE("DeepSeek V3: yarn's multiplier is a tenth of mscale_all_dim") {
  const auto r = read(gguf_model("deepseek2", 163840, 7168, 128)
                          .u32("deepseek2.attention.key_length", 192)
                          .u32("deepseek2.attention.kv_lora_rank", 512)
                          .u32("deepseek2.rope.dimension_count", 64)
                          .f32("deepseek2.rope.freq_base", 10000)
                          .text("deepseek2.rope.scaling.type", "yarn")
                          .f32("deepseek2.rope.scaling.factor", 40)
                          .u32("deepseek2.rope.scaling.original_context_length", 4096)
                          .f32("deepseek2.rope.scaling.yarn_log_multiplier", 0.1F));
  CHECK(word(r) == sources::encoding_text(config("deepseek_v3").layers.at(0).encoding));
  check(r.layers[0], layer_of("deepseek_v3", "all"), exact);
}

TEST_CASE("Mistral 3: yarn's multiplier is mscale_all_dim itself") {
  // As Devstral 2 is loaded by ggml-org/llama.cpp: factor 48, rope_yarn_log_mul 1, so that both magnitudes are the same.
  const auto r = read(gguf_model("mistral3", 393216, 5120, 32)
                          .u32("mistral3.rope.dimension_count", 128)
                          .f32("mistral3.rope.freq_base", 1e8F)
                          .text("mistral3.rope.scaling.type", "yarn")
                          .f32("mistral3.rope.scaling.factor", 48)
                          .u32("mistral3.rope.scaling.original_context_length", 8192)
                          .f32("mistral3.rope.scaling.yarn_log_multiplier", 1)
                          .f32("mistral3.attention.temperature_scale", 0.1F));
  REQUIRE(r.errors.empty());
  CHECK(r.layers.at(0).attention_factor == 1);
  // Queries times 1 + 0.1 ln(1 + floor(p/8192)), the float32 of the file
  const auto e = test::resolved(r.layers[0].encoding)->lower(393216);
  CHECK(e.query_scale(8191) == 1);
  CHECK(std::abs(e.query_scale(8192) - (1 + 0.1 * std::log(2))) <= 2e-9);
  CHECK(std::abs(e.query_scale(393215) - (1 + 0.1 * std::log(48))) <= 1e-8);
}

TEST_CASE("Phi-3.5: two lists, the long one beyond the original length") {
  const json c = json::parse(test::bytes_of_file(POSENC_TEST_DATA "/configs/phi_3_5_mini.json"));
  const json& scaling = c.contains("rope_scaling") ? c["rope_scaling"] : c["rope_parameters"];
  const double magnitude = std::sqrt(1 + std::log(131072.0 / 4096) / std::log(4096.0));
  const auto r = read(gguf_model("phi3", 131072, 3072, 32)
                          .u32("phi3.rope.dimension_count", 96)
                          .u32("phi3.rope.scaling.original_context_length", 4096)
                          .f32("phi3.rope.scaling.attn_factor", static_cast<float>(magnitude))
                          .f32("phi3.rope.freq_base", 10000)
                          .factors("rope_factors_long.weight", scaling["long_factor"].get<std::vector<double>>())
                          .factors("rope_factors_short.weight", scaling["short_factor"].get<std::vector<double>>()));
  REQUIRE(r.errors.empty());
  check(r.layers.at(0), layer_of("phi_3_5_mini", "all"), stored);
}

TEST_CASE("Qwen3-VL: sections that alternate") {
  const auto r = read(gguf_model("qwen3vl", 262144, 2560, 32)
                          .u32("qwen3vl.attention.key_length", 128)
                          .f32("qwen3vl.rope.freq_base", 5e6F)
                          .numbers("qwen3vl.rope.dimension_sections", {24, 20, 20, 0}));
  check(r.layers.at(0), layer_of("qwen3_vl_4b", "all"), exact);
  CHECK(word(r) == "m-rope:dim=128,base=5000000,layout=half_split,sections=24/20/20,interleaved=true,original=262144");
}
