#include "core/error.hpp"
#include "sources/gguf_words.hpp"
#include "sources/lowered.hpp"
#include "sources/model_file.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::test;
using sources::KeyStatus;
using sources::ModelReport;

TEST_CASE("every key has a status") {
  const auto r = read_model(llama().u32("llama.rope.dimension_count", 128).text("general.name", "x").u32("llama.rope.odd", 3));
  CHECK(r.model_type == "llama");
  CHECK(r.scheme == "rotary");
  CHECK(key(r, "llama.rope.freq_base").status == KeyStatus::used);
  CHECK(key(r, "llama.attention.key_length").status == KeyStatus::defaulted);
  CHECK(key(r, "general.name").status == KeyStatus::ignored);
  CHECK(key(r, "llama.rope.odd").note == "not known here");
  CHECK(warns(r, "llama.rope.odd = 3: not known here, and not used"));
}

TEST_CASE("a missing base is said with the default taken") {
  // 100^(126/128): how far the slowest frequency of base 10000 is from that of 1e6.
  const auto r = read_model(gguf_model("llama", 4096, 4096, 32).u32("llama.rope.dimension_count", 128));
  CHECK(warns(r, "llama.rope.freq_base: not given: 10000, llama.cpp's default"));
  CHECK(key(r, "llama.rope.freq_base").status == KeyStatus::defaulted);
  const auto other = read_model(gguf_model("llama", 4096, 4096, 32).f32("llama.rope.freq_base", 1e6F));
  const auto slowest = [](const ModelReport& m) {
    return test::frequencies(test::resolved(m.layers[0].encoding)->lower(4096)).back();
  };
  CHECK(slowest(r) / slowest(other) == Approx(93.0572040929699).epsilon(1e-12));
}

TEST_CASE("linear scaling under its new and its old key") {
  const char* const expected = "all=pi:dim=128,base=10000,layout=interleaved,factor=4,original=4096";
  CHECK(words(read_model(llama().f32("llama.rope.scaling.factor", 4))) == expected);
  CHECK(words(read_model(llama().f32("llama.rope.scale_linear", 4))) == expected);
  const auto both = read_model(llama().f32("llama.rope.scaling.factor", 4).f32("llama.rope.scale_linear", 2));
  CHECK(words(both) == expected);
  CHECK(key(both, "llama.rope.scale_linear").status == KeyStatus::conflicting);
  CHECK(words(read_model(llama().f32("llama.rope.scaling.factor", 4).text("llama.rope.scaling.type", "none"))) ==
        "all=rope:dim=128,base=10000,layout=interleaved,original=4096");
  CHECK(words(read_model(llama().f32("llama.rope.scaling.factor", 4).u32("llama.rope.scaling.original_context_length", 1024))) ==
        "all=pi:dim=128,base=10000,layout=interleaved,factor=4,original=1024");
}

TEST_CASE("divisors of 1 change nothing") {
  CHECK(words(read_model(llama().factors("rope_freqs.weight", std::vector<double>(64, 1)))) ==
        "all=rope:dim=128,base=10000,layout=interleaved,original=4096");
}

TEST_CASE("kinds of layers by architecture, by period and by list") {
  const auto exaone = [](bool window) {
    auto g = gguf_model("exaone4", 8192, 512, 4).u32("exaone4.block_count", 8).f32("exaone4.rope.freq_base", 1e6F);
    return words(read_model(window ? g.u32("exaone4.attention.sliding_window", 64) : g));
  };
  CHECK(exaone(true) ==
        "sliding_attention=rope:dim=128,base=1000000,layout=half_split,original=8192 "
        "full_attention=nope:dim=128,original=8192");
  CHECK(exaone(false) == "all=rope:dim=128,base=1000000,layout=half_split,original=8192");
  CHECK(
      words(read_model(gguf_model("smollm3", 8192, 512, 4).f32("smollm3.rope.freq_base", 2e6F).u32("smollm3.block_count", 36))) ==
      "rope=rope:dim=128,base=2000000,layout=interleaved,original=8192 nope=nope:dim=128,original=8192");
  const auto gemma4 = read_model(gguf_model("gemma4", 131072, 2048, 8)
                                     .u32("gemma4.attention.key_length", 512)
                                     .u32("gemma4.attention.key_length_swa", 256)
                                     .u32("gemma4.rope.dimension_count", 512)
                                     .u32("gemma4.rope.dimension_count_swa", 256)
                                     .u32("gemma4.attention.sliding_window", 512)
                                     .flags("gemma4.attention.sliding_window_pattern", {true, true, false})
                                     .f32("gemma4.rope.freq_base", 1e6F)
                                     .f32("gemma4.rope.freq_base_swa", 1e4F)
                                     .factors("rope_freqs.weight", [] {
                                       std::vector<double> f(256, 1e30);
                                       std::fill_n(f.begin(), 64, 1.0);
                                       return f;
                                     }()));
  CHECK(words(gemma4) ==
        "sliding_attention=rope:dim=256,base=10000,layout=half_split,original=131072 "
        "full_attention=proportional:dim=512,base=1000000,layout=half_split,partial=0.25,original=131072");
  CHECK(words(read_model(gguf_model("qwen3next", 4096, 512, 4)
                             .f32("qwen3next.rope.freq_base", 1e7F)
                             .u32("qwen3next.block_count", 8)
                             .u32("qwen3next.rope.dimension_count", 64))) ==
        "linear_attention=- full_attention=rope:dim=128,base=10000000,rotary-dim=64,layout=half_split,original=4096");
  CHECK(words(read_model(
            gguf_model("lfm2", 4096, 512, 4).f32("lfm2.rope.freq_base", 1e6F).numbers("lfm2.attention.head_count_kv", {0, 2}))) ==
        "conv=- full_attention=rope:dim=128,base=1000000,layout=half_split,original=4096");
  CHECK(words(read_model(gguf_model("gpt-oss", 4096, 512, 8)
                             .f32("gpt-oss.rope.freq_base", 150000)
                             .u32("gpt-oss.block_count", 4)
                             .u32("gpt-oss.attention.sliding_window", 128))) ==
        "all=rope:dim=64,base=150000,layout=half_split,original=4096");
}

TEST_CASE("tables, biases and none") {
  std::string table(2 * 4 * 3, '\0');
  const TemporaryFile gpt2("small.gguf", gguf_model("gpt2", 3, 4, 2).tensor("position_embd.weight", {4, 3}, 1, table).bytes());
  const auto specs = sources::read_encodings(gpt2.path());
  REQUIRE(specs.size() == 1);
  CHECK((specs[0].label == "small" && specs[0].scheme == "learned"));
  CHECK(test::resolved(specs[0])->train_length() == 3);
  CHECK(test::resolved(specs[0])->lower(3).width == 4);
  CHECK(words(read_model(gguf_model("gpt2", 1024, 768, 12))) == "all=learned:dim=768,rows=1024,init=gpt2,original=1024");
  CHECK(words(read_model(gguf_model("bloom", 2048, 512, 8))) == "all=alibi:dim=64,heads=8,original=2048");
  CHECK(words(read_model(gguf_model("mpt", 2048, 512, 8).f32("mpt.attention.max_alibi_bias", 4))) ==
        "all=alibi:dim=64,heads=8,bias-max=4,original=2048");
  CHECK(words(read_model(gguf_model("mpt", 2048, 512, 8))) == "all=nope:dim=64,original=2048");
  CHECK(words(read_model(gguf_model("baichuan", 4096, 5120, 40).u32("baichuan.block_count", 40))) ==
        "all=alibi:dim=128,heads=40,original=4096");
  const auto t5 = words(read_model(gguf_model("t5", 512, 512, 8)
                                       .u32("t5.attention.key_length", 64)
                                       .u32("t5.attention.relative_buckets_count", 32)
                                       .tensor("enc.blk.0.attn_rel_b.weight", {8, 32}, 0, std::string(1024, '\0'))));
  CHECK(t5 ==
        "encoder=t5:dim=64,table=t.gguf#enc.blk.0.attn_rel_b.weight,buckets=32,max-distance=128,bidirectional=true,original=512 "
        "decoder=t5:dim=64,heads=8,buckets=32,max-distance=128,bidirectional=false,original=512");
  CHECK(words(read_model(gguf_model("jamba", 4096, 512, 8))) == "all=nope:dim=64,original=4096");
  CHECK(read_model(gguf_model("mamba", 4096, 512, 8)).layers.empty());
  const TemporaryFile quantised(
      "q.gguf", gguf_model("gpt2", 1, 32, 1).tensor("position_embd.weight", {32, 1}, 8, std::string(34, '\0')).bytes());
  CHECK(test::thrown([&] { sources::read_encodings(quantised.path()); }).find("type = Q8_0: must be F32") != std::string::npos);
}

TEST_CASE("a magnitude beside the scaling multiplies cos and sin") {
  const auto r = read_model(llama().f32("llama.rope.scaling.attn_factor", 1.5F));
  const auto e = test::resolved(r.layers.at(0).encoding)->lower(4096);
  CHECK(model::form<model::Rotary>(e)->attention_factor == 1.5);
  CHECK(test::frequencies(e)[1] == Approx(std::pow(10000.0, -1 / 64.0)).epsilon(1e-14));
  const auto yarn = read_model(llama()
                                   .text("llama.rope.scaling.type", "yarn")
                                   .f32("llama.rope.scaling.factor", 4)
                                   .f32("llama.rope.scaling.attn_factor", 0.5F));
  const auto used = test::resolved(yarn.layers.at(0).encoding)->lower(4096);
  CHECK(model::form<model::Rotary>(used)->attention_factor == Approx(0.5 * (0.1 * std::log(4.0) + 1)).epsilon(1e-14));
}

TEST_CASE("swapped betas of yarn leave llama.cpp's step, and a warning") {
  const auto r = read_model(llama().text("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.factor", 4)
                          .u32("llama.rope.scaling.original_context_length", 4096)
                          .f32("llama.rope.scaling.yarn_beta_fast", 1).f32("llama.rope.scaling.yarn_beta_slow", 32));
  REQUIRE(r.errors.empty());
  CHECK(warns(r, "llama.rope.scaling.yarn_beta_fast = 1: below yarn_beta_slow = 32"));
  // rope_yarn_ramp: 1 - clamp((i - low)/max(0.001, high - low), 0, 1) of low = floor(64 ln(4096/2 pi)/ln 10000) = 45.
  const auto ours = test::frequencies(test::resolved(r.layers.at(0).encoding)->lower(4096));
  REQUIRE(ours.size() == 64);
  for (std::size_t i = 0; i < 64; ++i) {
    INFO(i);
    CHECK(ours[i] == Approx(std::pow(10000.0, -static_cast<double>(i) / 64) / (i <= 45 ? 1 : 4)).epsilon(1e-14));
  }
}
