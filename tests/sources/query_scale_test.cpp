#include "sources/config.hpp"
#include "sources/lowered.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::sources;

namespace {

ModelReport read(const std::string& text) {
  ModelReport out = read_config(text, "m.json");
  REQUIRE(out.errors.empty());
  return out;
}

std::function<double(model::Pos)> scale_of(const LayerReport& layer, model::Pos sequence) {
  return test::resolved(layer.encoding)->lower(sequence).query_scale;
}

}  // namespace

TEST_CASE("log-n attention of Qwen: ln(p + 1)/ln(seq_length) beyond that length") {
  // Qwen/Qwen-7B modeling_qwen.py: logn_list = [log(i, seq_length) if i > seq_length else 1 for i in range(1, 32768)]
  const auto r = read(R"({"model_type": "qwen", "hidden_size": 4096, "num_attention_heads": 32, "seq_length": 2048,
                          "max_position_embeddings": 8192, "rotary_emb_base": 10000, "use_logn_attn": true})");
  const auto scale = scale_of(r.layers.at(0), 8192);
  REQUIRE(scale);
  CHECK(scale(0) == 1);
  CHECK(scale(2047) == 1);
  CHECK(std::abs(scale(8191) - std::log(8192) / std::log(2048)) <= 1e-15);
  for (const auto& k : r.keys)
    if (k.key == "use_logn_attn") CHECK(k.status == KeyStatus::used);
}

TEST_CASE("temperature of Llama 4: layers without rotation alone") {
  const std::string text = R"({"model_type": "llama4_text", "hidden_size": 5120, "num_attention_heads": 40, "head_dim": 128,
    "num_hidden_layers": 4, "rope_theta": 500000, "max_position_embeddings": 131072, "attn_temperature_tuning": TUNING,
    "floor_scale": 4096, "attn_scale": 0.2})";
  const auto with = [&](const std::string& tuning) {
    std::string out = text;
    return read(out.replace(out.find("TUNING"), 6, tuning));
  };
  for (const char* on : {"true", "4"}) {
    const auto r = with(on);
    REQUIRE(r.layers.size() == 2);
    CHECK_FALSE(scale_of(r.layers[0], 131072));
    // huggingface/transformers modeling_llama4.py: log1p(floor((p + 1)/floor_scale)) attn_scale + 1
    const auto scale = scale_of(r.layers[1], 131072);
    REQUIRE(scale);
    CHECK(scale(4094) == 1);
    CHECK(std::abs(scale(4095) - (1 + 0.2 * std::log(2))) <= 1e-15);
    CHECK(r.warnings.empty());
  }
  for (const char* off : {"false", "0", "null"}) CHECK_FALSE(scale_of(with(off).layers.at(1), 131072));
}

TEST_CASE("a scaled query that no encoding can hold is a warning") {
  const auto r = read(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 10000,
    "max_position_embeddings": 4096, "rope_scaling": {"rope_type": "linear", "factor": 2, "original_max_position_embeddings": 2048},
    "use_logn_attn": true})");
  REQUIRE(r.warnings.size() == 1);
  CHECK(r.warnings[0] == "use_logn_attn: queries are also scaled by their position, which the encoding leaves out");
}
