#include "sources/config.hpp"
#include "sources/lowered.hpp"
#include "sources/temporary_file.hpp"
#include "support/catch.hpp"

#include <algorithm>

using namespace posenc;
using sources::KeyStatus;
using sources::LayerReport;
using sources::ModelReport;

namespace {

ModelReport read(const std::string& text) { return sources::read_config(text, "config.json"); }
ModelReport file(const std::string& name) { return sources::read_config_file(POSENC_TEST_DATA "/configs/" + name + ".json"); }

std::string status(const ModelReport& report, const std::string& key) {
  const auto at = std::find_if(report.keys.begin(), report.keys.end(), [&](const auto& k) { return k.key == key; });
  if (at == report.keys.end()) return "absent";
  switch (at->status) {
    case KeyStatus::used:
      return "used";
    case KeyStatus::defaulted:
      return "defaulted " + at->value;
    case KeyStatus::ignored:
      return "ignored";
    case KeyStatus::overridden:
      return "overridden";
    case KeyStatus::conflicting:
      return "conflicting";
  }
  return "";
}

std::string encodings(const ModelReport& report) {
  std::string out;
  for (const std::string& e : report.errors) out += "error " + e;
  for (const LayerReport& l : report.layers) out += (out.empty() ? "" : "; ") + l.name + " " + sources::encoding_text(l.encoding);
  return out;
}

const std::string sizes = R"("hidden_size": 512, "num_attention_heads": 8, "max_position_embeddings": 1024, )";

}  // namespace

TEST_CASE("every key has a status, and the winner is told") {
  const ModelReport phi = file("phi_1");
  CHECK(status(phi, "partial_rotary_factor") == "used");
  CHECK(status(phi, "rotary_dim") == "overridden");
  CHECK(status(phi, "rope_scaling") == "ignored");
  CHECK(status(phi, "head_dim") == "defaulted 64");
  CHECK(status(file("odd_v5_top_level_theta_conflict"), "rope_theta") == "conflicting");
  CHECK(status(file("odd_v5_top_level_theta_conflict"), "rope_parameters.rope_theta") == "used");
  CHECK(status(file("ministral3_3b_2512"), "text_config.rope_parameters.type") == "overridden");
  CHECK(status(file("ministral3_3b_2512"), "vision_config") == "ignored");
  CHECK(status(file("ministral3_3b_2512"), "text_config.rope_parameters.mscale") == "used");
  CHECK(status(file("llama_missing_everything"), "rope_theta") == "defaulted 10000");
  CHECK(status(file("llama_missing_everything"), "max_position_embeddings") == "defaulted 2048");
  CHECK(status(file("llama_missing_everything"), "num_hidden_layers") == "used");
  CHECK(status(file("llama_missing_everything"), "transformers_version") == "ignored");
  CHECK(status(file("deepseek_v4_flash"), "head_dim") == "overridden");
  CHECK(status(file("gpt2"), "n_ctx") == "overridden");
  CHECK(status(read("{" + sizes + R"("model_type": "cohere", "rope_theta": 8e6, "model_max_length": 131072})"),
               "model_max_length") == "conflicting");
  CHECK(status(read("{" + sizes + R"("model_type": "llama", "rope_theta": 1e4, "_source": "me"})"), "_source") == "ignored");
}

TEST_CASE("known keys that the model does not read are without effect, and no warning") {
  const auto quiet = [](const std::string& keys, const std::string& key) {
    const ModelReport report = read("{" + sizes + keys + "}");
    CAPTURE(keys);
    CHECK(report.errors.empty());
    CHECK(report.warnings.empty());
    CHECK(status(report, key) == "ignored");
    for (const auto& k : report.keys)
      if (k.key == key) CHECK(k.note == "without effect in this model");
  };
  quiet(R"("model_type": "gpt2", "rope_theta": 10000)", "rope_theta");
  quiet(R"("model_type": "gpt2", "rope_scaling": {"type": "linear", "factor": 2})", "rope_scaling");
  quiet(R"("model_type": "bloom", "partial_rotary_factor": 0.5)", "partial_rotary_factor");
  quiet(R"("model_type": "bloom", "rope_parameters": null)", "rope_parameters");
  quiet(R"("model_type": "llama", "rope_theta": 1e4, "rope_local_base_freq": 1e4)", "rope_local_base_freq");
}

TEST_CASE("the base that vLLM's alpha enlarges is told beside the file's") {
  const ModelReport report = file("odd_dynamic_alpha");
  CHECK(report.layers.at(0).base == 10000);
  // rotary_expected.json, odd_dynamic_alpha: 10000 * 1000^(128/126).
  CHECK(report.layers.at(0).base_used.value_or(0) == Approx(11158839.92507748).epsilon(1e-14));
}

TEST_CASE("a partial factor of 0 turns nothing and says so") {
  const ModelReport report = read("{" + sizes + R"("model_type": "llama", "rope_theta": 1e4, "partial_rotary_factor": 0})");
  CHECK(report.errors.empty());
  REQUIRE(report.warnings.size() == 1);
  CHECK(report.warnings[0].find("partial_rotary_factor = 0: no channel turns") != std::string::npos);
  CHECK(test::frequencies(test::resolved(report.layers.at(0).encoding)->lower(0)).empty());
}

TEST_CASE("the training length of the first Qwen models is no other length's rival; a rotary width is told as one") {
  const ModelReport qwen = read(R"({"model_type": "qwen", "hidden_size": 512, "num_attention_heads": 8, "use_dynamic_ntk": true,
      "seq_length": 2048, "max_position_embeddings": 4096, "rotary_emb_base": 10000, "rotary_pct": 1.0})");
  CHECK(status(qwen, "seq_length") == "used");
  for (const std::string& w : qwen.warnings) CHECK(w.find("seq_length") == std::string::npos);
  const ModelReport phi =
      read("{" + sizes + R"("model_type": "phi", "rope_theta": 1e4, "partial_rotary_factor": 0.5, "rotary_dim": 48})");
  CHECK(status(phi, "rotary_dim") == "conflicting");
  CHECK(std::any_of(phi.warnings.begin(), phi.warnings.end(), [](const std::string& w) {
    return w == "rotary_dim = 48 is not used: partial_rotary_factor gives 32 channels";
  }));
}

TEST_CASE("the old and the new schema mean the same") {
  const std::string start = R"({"model_type": "llama", )" + sizes;
  const std::string a = encodings(read(start + R"("rope_theta": 500000.0, "rope_scaling": {"type": "linear", "factor": 2}})"));
  const std::string b =
      encodings(read(start + R"("rope_parameters": {"rope_type": "linear", "factor": 2, "rope_theta": 500000.0}})"));
  CHECK(a == "all pi:dim=64,base=500000,layout=half_split,factor=2,original=1024");
  CHECK(a == b);
}

TEST_CASE("families are read as their own code reads them") {
  const auto of = [](const std::string& keys) { return encodings(read("{" + sizes + keys + "}")); };
  CHECK(of(R"("model_type": "gemma4_text")") ==
        "sliding_attention rope:dim=256,base=10000,layout=half_split,original=1024; "
        "full_attention proportional:dim=512,base=1000000,layout=half_split,partial=0.25,original=1024");
  CHECK(of(R"("model_type": "modernbert", "rope_scaling": {"type": "linear", "factor": 2.0})") ==
        "full_attention pi:dim=64,base=160000,layout=half_split,factor=2,original=1024; "
        "sliding_attention pi:dim=64,base=10000,layout=half_split,factor=2,original=1024");
  CHECK(of(R"("model_type": "gemma3_text", "rope_theta": 1e6, "rope_local_base_freq": 5e3,
               "rope_parameters": {"full_attention": {"rope_type": "default"}, "sliding_attention": {"rope_type": "default"}})") ==
        "sliding_attention rope:dim=256,base=5000,layout=half_split,original=1024; full_attention "
        "rope:dim=256,base=1000000,layout=half_split,original=1024");
  CHECK(
      of(R"("model_type": "olmo3", "rope_theta": 5e5, "rope_scaling": {"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 512})") ==
      "sliding_attention rope:dim=64,base=500000,layout=half_split,original=512; "
      "full_attention yarn:dim=64,base=500000,layout=half_split,factor=2,beta-fast=32,beta-slow=1,original=512");
  CHECK(of(R"("model_type": "llama4_text", "head_dim": 64, "no_rope_layers": [])") ==
        "chunked_attention rope:dim=64,base=500000,layout=interleaved,original=1024; full_attention nope:dim=64,original=1024");
  CHECK(of(R"("model_type": "smollm3", "no_rope_layers": [1, 1])") ==
        "all rope:dim=64,base=2000000,layout=half_split,original=1024");
  CHECK(of(R"("model_type": "smollm3", "no_rope_layers": [1, 0])") ==
        "rope rope:dim=64,base=2000000,layout=half_split,original=1024; nope nope:dim=64,original=1024");
  CHECK(of(R"("model_type": "cohere2", "rope_theta": 5e4)") ==
        "sliding_attention rope:dim=64,base=50000,layout=interleaved,original=1024; full_attention nope:dim=64,original=1024");
  CHECK(of(R"("model_type": "exaone4", "rope_theta": 1e6, "sliding_window": null)") ==
        "all rope:dim=64,base=1000000,layout=half_split,original=1024");
  CHECK(of(R"("model_type": "exaone4", "rope_theta": 1e6, "sliding_window": 4096, "sliding_window_pattern": "LLLG")") ==
        "sliding_attention rope:dim=64,base=1000000,layout=half_split,original=1024; full_attention nope:dim=64,original=1024");
  CHECK(of(R"("model_type": "qwen3_next", "rope_theta": 1e7, "head_dim": 256)") ==
        "linear_attention ; full_attention rope:dim=256,base=10000000,rotary-dim=64,layout=half_split,original=1024");
  CHECK(of(R"("model_type": "chatglm", "kv_channels": 128, "rope_ratio": 500)") ==
        "all rope:dim=128,base=5000000,rotary-dim=64,layout=interleaved,original=1024");
  CHECK(of(R"("model_type": "baichuan", "rope_theta": 1e4)") == "all alibi:dim=64,heads=8,original=1024");
  CHECK(of(R"("model_type": "falcon", "alibi": true)") == "all alibi:dim=64,heads=8,original=1024");
  CHECK(of(R"("model_type": "mpt", "attn_config": {"alibi": false})") == "all learned:dim=512,rows=1024,init=bert,original=1024");
  CHECK(of(R"("model_type": "deepseek_v3", "qk_rope_head_dim": 32, "rope_interleave": false, "rope_theta": 1e4)") ==
        "all rope:dim=32,base=10000,layout=half_split,original=1024");
  CHECK(of(R"("model_type": "roberta", "pad_token_id": 1)") ==
        "all learned:dim=512,rows=1024,padding-index=1,init=bert,original=1022");
  CHECK(of(R"("model_type": "bert", "position_embedding_type": "relative_key")") ==
        "all shaw:dim=64,clip=1023,values=false,causal=false,original=1024");
  CHECK(
      of(R"("model_type": "deberta-v2", "position_buckets": 256, "max_relative_positions": -1, "pos_att_type": ["p2c", "c2p"])") ==
      "all deberta:dim=512,heads=8,buckets=256,max-distance=1024,beyond=hf,original=1024");
  CHECK(of(R"("model_type": "mamba")").empty());
  CHECK(
      of(R"("model_type": "hunyuan_v1_dense", "rope_theta": 1e4, "rope_scaling": {"type": "dynamic", "alpha": 1000.0, "factor": 1.0})") ==
      "all ntk:dim=64,base=10000,layout=half_split,factor=1000,original=1024");
}

TEST_CASE("the text model's own object is found") {
  const std::string inner =
      R"({"model_type": "llama", "hidden_size": 512, "num_attention_heads": 4, "max_position_embeddings": 64, "rope_theta": 1e4})";
  const std::string expected = "all rope:dim=128,base=10000,layout=half_split,original=64";
  for (const char* const name : {"text_config", "llm_config", "language_config"}) {
    const ModelReport report =
        read(std::string("{\"model_type\": \"outer\", \"rope_theta\": 5, \"vision_config\": {\"rope_theta\": 100}, \"") + name +
             "\": " + inner + "}");
    CHECK(report.model_type == "llama");
    CHECK(encodings(report) == expected);
    CHECK(status(report, "rope_theta") == "ignored");
  }
  CHECK(encodings(read("{\"thinker_config\": {\"text_config\": " + inner + "}}")) == expected);
  CHECK(read("{" + sizes + R"("model_type": "qwen2_vl", "text_config": {"tie_word_embeddings": true}})").model_type ==
        "qwen2_vl");
}

TEST_CASE("pairs take their axis by section") {  // sections 16/24/24: pair 17 is height in blocks, width when interleaved
  const auto axis = [](const std::string& more) {
    return read(
               R"({"model_type": "qwen2_vl", "head_dim": 128, "rope_theta": 1e6, "rope_scaling": {"type": "mrope", "mrope_section": [16, 24, 24])" +
               more + "}}")
        .layers.at(0)
        .mrope_axis;
  };
  CHECK(axis("") == std::string(16, 't') + std::string(24, 'h') + std::string(24, 'w'));
  CHECK(axis("")[17] == 'h');
  CHECK(axis(R"(, "mrope_interleaved": true)")[17] == 'w');
}

TEST_CASE("published numbers of a reader's cases") {
  const auto lowered = [](const ModelReport& report, model::Pos at) {
    return test::frequencies(test::resolved(report.layers.at(0).encoding)->lower(at));
  };
  const auto dynamic = read(
      R"({"model_type": "llama", "head_dim": 128, "max_position_embeddings": 2048, "rope_theta": 1e4, "rope_scaling": {"type": "dynamic", "factor": 2.0}})");
  // alpha = 2 L/2048 - 1 at lengths 1024, 2048, 3072, 4096 is 1, 1, 2, 3; the slowest pair is alpha times slower.
  const double slowest = std::pow(1e4, -126.0 / 128);
  for (const auto& [length, alpha] : {std::pair{1024, 1.0}, {2048, 1.0}, {3072, 2.0}, {4096, 3.0}})
    CHECK(lowered(dynamic, length).back() == Approx(slowest / alpha).epsilon(1e-14));
  const auto llama =
      read(R"({"model_type": "llama", "head_dim": 64, "rope_theta": 5e5, "max_position_embeddings": 131072, "rope_scaling":
      {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0, "original_max_position_embeddings": 8192}})");
  const auto used = lowered(llama, 8192), plain = lowered(llama, 0);
  int keep = 0, divided = 0;
  for (std::size_t i = 0; i < used.size(); ++i)
    keep += used[i] == plain[i], divided += std::abs(used[i] * 32 / plain[i] - 1) < 1e-14;
  CHECK((keep == 15 && divided == 14));
}

TEST_CASE("architectures stand in for a model_type that is missing or empty") {
  for (const char* type : {"", R"("model_type": "", )"}) {
    const auto r = read("{" + std::string(type) + R"("architectures": ["GPTNeoXForCausalLM"], "rotary_emb_base": 10000, )" +
                        sizes + R"("rotary_pct": 0.25})");
    CHECK(r.model_type == "gpt_neox");
    CHECK(r.warnings == std::vector<std::string>{"model_type: not given: gpt_neox, by architectures"});
    CHECK(encodings(r) == "all rope:dim=64,base=10000,rotary-dim=16,layout=half_split,original=1024");
  }
  CHECK(read(R"({"architectures": ["GPTJForCausalLM"], "rope_theta": 10000, "rotary_dim": 16, )" + sizes + R"("n_layer": 1})")
            .layers.at(0)
            .layout == "interleaved");
}

TEST_CASE("layers without rotation are made for the model's positions") {
  const auto r = read(R"({"model_type": "smollm3", "rope_theta": 10000, "num_hidden_layers": 4, )" + sizes +
                      R"("no_rope_layers": [1, 1, 1, 0]})");
  REQUIRE(r.layers.size() == 2);
  CHECK(r.layers[1].encoding.scheme == "nope");
  CHECK(r.layers[1].positions == 1024);
}

TEST_CASE("messages say what decides and which entry is wrong") {
  const auto phi = read(R"({"model_type": "phi-msft", "rope_theta": 10000, "partial_rotary_factor": 0.5, "rotary_dim": 16, )" +
                        sizes + R"("n_layer": 1})");
  REQUIRE(phi.warnings.size() == 1);
  CHECK(phi.warnings[0] == "partial_rotary_factor = 0.5 is not used: rotary_dim / head_dim = 0.25 decides");
  const auto zero = read(R"({"model_type": "gptj", "rope_theta": 10000, "rotary_dim": 0, )" + sizes + R"("n_layer": 1})");
  REQUIRE(zero.warnings.size() == 1);
  CHECK(zero.warnings[0].find("rotary_dim = 0: no channel turns") == 0);
  std::string list = "1";
  for (int i = 1; i < 32; ++i) list += i == 3 ? ", -3" : ", 1";
  const auto wrong = read(R"({"model_type": "phi3", "rope_theta": 10000, )" + sizes +
                          R"("rope_scaling": {"type": "longrope", "original_max_position_embeddings": 512, "short_factor": [)" +
                          list + R"(], "long_factor": [)" + list + "]}}");
  REQUIRE(!wrong.errors.empty());
  CHECK(wrong.errors[0] == "rope_scaling.short_factor[3] = -3: must be > 0");
  const auto base = read(R"({"model_type": "llama", "rope_theta": true, )" + sizes + R"("n_layer": 1})");
  CHECK(base.errors.size() == 1);
  CHECK(base.warnings.empty());
}
