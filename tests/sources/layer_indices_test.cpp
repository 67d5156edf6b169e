// Which layers of a model are of which type, from config.json and GGUF.
#include "sources/config.hpp"
#include "sources/gguf_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

using namespace posenc;
using namespace posenc::test;

namespace {
/// "sliding_attention: 0 1 2; full_attention: 3", in the report's order.
std::string indices(const sources::ModelReport& r) {
  std::string out;
  for (const auto& l : r.layers) out += fmt::format("{}{}: {}", out.empty() ? "" : "; ", l.name, fmt::join(l.layers, " "));
  return out;
}
std::string config(const std::string& keys) {
  return indices(sources::read_config(R"({"hidden_size": 64, "num_attention_heads": 4, "rope_theta": 10000.0,
    "max_position_embeddings": 64, )" + keys +
                                          "}",
                                      "config.json"));
}
}  // namespace

TEST_CASE("layers of a config by period, list, pattern and default") {
  CHECK(config(R"("model_type": "llama", "num_hidden_layers": 3)") == "all: 0 1 2");
  CHECK(config(R"("model_type": "llama")") == "all: ");
  CHECK(config(R"("model_type": "gemma3_text", "num_hidden_layers": 7, "rope_local_base_freq": 5000.0)") ==
        "sliding_attention: 0 1 2 3 4 6; full_attention: 5");
  CHECK(config(R"("model_type": "gemma3_text", "rope_local_base_freq": 5000.0)") == "sliding_attention: ; full_attention: ");
  CHECK(config(R"("model_type": "exaone4", "num_hidden_layers": 5, "sliding_window": 8, "sliding_window_pattern": "LLG")") ==
        "sliding_attention: 0 1 3 4; full_attention: 2");
  CHECK(config(R"("model_type": "smollm3", "num_hidden_layers": 8)") == "rope: 0 1 2 4 5 6; nope: 3 7");
  CHECK(config(R"("model_type": "smollm3", "num_hidden_layers": 3, "no_rope_layers": [0, 1, 1])") == "nope: 0; rope: 1 2");
  CHECK(config(R"("model_type": "cohere2", "layer_types": ["sliding_attention", "full_attention", "full_attention"])") ==
        "sliding_attention: 0; full_attention: 1 2");
  CHECK(
      config(
          R"("model_type": "modernbert", "num_hidden_layers": 4, "global_rope_theta": 160000.0, "local_rope_theta": 10000.0)") ==
      "full_attention: 0 3; sliding_attention: 1 2");
  CHECK(config(R"("model_type": "lfm2", "num_hidden_layers": 4, "full_attn_idxs": [2])") == "conv: 0 1 3; full_attention: 2");
  CHECK(config(R"("model_type": "qwen3_next", "num_hidden_layers": 5)") == "linear_attention: 0 1 2 4; full_attention: 3");
  // Types that rotate alike are one.
  CHECK(config(R"("model_type": "mistral", "num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"])") ==
        "all: 0 1");
  CHECK(indices(sources::read_config(R"({"model_type": "gpt2", "n_embd": 8, "n_head": 2, "n_layer": 2})", "c")) == "all: 0 1");
}

TEST_CASE("layers of a GGUF file, without those that guess later tokens") {
  const auto gemma = [] {
    return gguf_model("gemma3", 64, 64, 4).u32("gemma3.attention.sliding_window", 8).f32("gemma3.rope.freq_base", 1e6F);
  };
  CHECK(indices(read_model(gemma().u32("gemma3.block_count", 7))) == "sliding_attention: 0 1 2 3 4 6; full_attention: 5");
  CHECK(indices(read_model(gemma())) == "sliding_attention: ; full_attention: ");
  CHECK(indices(read_model(
            gemma().u32("gemma3.block_count", 3).flags("gemma3.attention.sliding_window_pattern", {false, true, true}))) ==
        "full_attention: 0; sliding_attention: 1 2");
  CHECK(indices(read_model(llama().u32("llama.block_count", 2))) == "all: 0 1");
  CHECK(indices(read_model(gguf_model("glm4moe", 64, 64, 4)
                               .f32("glm4moe.rope.freq_base", 1e4F)
                               .u32("glm4moe.block_count", 3)
                               .u32("glm4moe.nextn_predict_layers", 1))) == "all: 0 1");
  CHECK(indices(read_model(gguf_model("bloom", 64, 64, 4).u32("bloom.block_count", 2))) == "all: 0 1");
}

TEST_CASE("query and key heads, and latent attention's other channels") {
  const auto heads = [](const sources::ModelReport& r) {
    return fmt::format("{} {} {}", r.heads.query.value_or(0), r.heads.key.value_or(0), r.heads.before);
  };
  const auto of = [&](const std::string& keys) {
    return heads(
        sources::read_config(R"({"hidden_size": 64, "max_position_embeddings": 64, "rope_theta": 1e4, )" + keys + "}", "c"));
  };
  CHECK(of(R"("model_type": "llama", "num_attention_heads": 4, "num_key_value_heads": 2)") == "4 2 0");
  CHECK(of(R"("model_type": "llama", "num_attention_heads": 4)") == "4 4 0");
  CHECK(of(R"("model_type": "falcon", "num_attention_heads": 4, "multi_query": true)") == "4 1 0");
  CHECK(of(R"("model_type": "deepseek_v3", "num_attention_heads": 4, "qk_rope_head_dim": 16, "qk_nope_head_dim": 32)") ==
        "4 1 32");
  CHECK(heads(read_model(llama().u32("llama.attention.head_count_kv", 8))) == "32 8 0");
  CHECK(heads(read_model(gguf_model("deepseek2", 64, 64, 4)
                             .u32("deepseek2.attention.kv_lora_rank", 32)
                             .u32("deepseek2.attention.key_length", 48)
                             .u32("deepseek2.attention.key_length_mla", 40)
                             .u32("deepseek2.rope.dimension_count", 16)
                             .f32("deepseek2.rope.freq_base", 1e4F))) == "4 1 24");
}

TEST_CASE("inspect lists them") {
  const auto r = sources::read_config(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "rope_theta": 1e4,
    "max_position_embeddings": 64, "num_hidden_layers": 3})",
                                      "c");
  CHECK(sources::to_json(r).find(R"("layer_indices": [0, 1, 2])") != std::string::npos);
}
