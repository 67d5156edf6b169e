#include "sources/gguf_words.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::test;

TEST_CASE("what cannot be valid is one clear line") {
  CHECK(error(GgufBytes()) == "general.architecture: missing");
  CHECK(error(GgufBytes().u32("general.architecture", 1)) == "general.architecture = 1: must be text");
  CHECK(error(GgufBytes().text("general.architecture", "clip")).find("holds a vision model alone") != std::string::npos);
  CHECK(error(llama().text("llama.rope.scaling.type", "ntk")) ==
        "llama.rope.scaling.type = \"ntk\": must be none, linear, yarn or longrope");
  CHECK(error(GgufBytes().text("general.architecture", "llama")) == "llama.context_length: missing");
  CHECK(error(gguf_model("llama", 4096, 4, 32)) == "llama.embedding_length: must be >= the number of heads");
  CHECK(error(llama().u32("llama.rope.dimension_count", 129)) ==
        "llama.rope.dimension_count = 129: must be even and at most the head's 128");
  CHECK(error(llama().u32("llama.attention.key_length", 1U << 31)) ==
        "llama.attention.key_length = 2147483648: must be <= 8192");
  CHECK(error(gguf_model("llama", 4096, 4096, 32).f32("llama.rope.freq_base", 1)) == "llama.rope.freq_base = 1: must be > 1");
  CHECK(error(gguf_model("llama", 4096, 4096, 32).f32("llama.rope.freq_base", NAN)) ==
        "llama.rope.freq_base = \"nan\": must be a number");
  CHECK(error(llama().f32("llama.rope.scaling.factor", -2)) == "llama.rope.scaling.factor = -2: must be > 0");
  CHECK(error(llama().text("llama.rope.scaling.factor", "4")) == "llama.rope.scaling.factor = \"4\": must be a number");
  CHECK(error(llama().factors("rope_freqs.weight", {1, 2})) ==
        "rope_freqs.weight: shape [2] must be [64], one number for each pair");
  CHECK(error(llama().factors("rope_freqs.weight", std::vector<double>(64, -1))) ==
        "rope_freqs.weight: element 0 = -1: must be > 0");
  CHECK(error(llama().factors("rope_factors_long.weight", std::vector<double>(64, 2))) ==
        "rope_factors_long.weight: must come with rope_factors_short.weight");
  CHECK(error(llama().text("llama.rope.scaling.type", "longrope")).find("needs rope_factors_short.weight") != std::string::npos);
  CHECK(error(llama()
                  .text("llama.rope.scaling.type", "yarn")
                  .f32("llama.rope.scaling.factor", 4)
                  .factors("rope_factors_long.weight", std::vector<double>(64, 2))) ==
        "rope_factors_long.weight: must not come with llama.rope.scaling.type = yarn");
  CHECK(error(llama().text("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.yarn_ext_factor", 0.5F))
            .find("must be 0 or 1") != std::string::npos);
  CHECK(error(llama().numbers("llama.rope.dimension_sections", {16, 24, 20, 0})).find("with sum 64") != std::string::npos);
}

TEST_CASE("lists by layer are as long as the model, and of numbers") {
  const auto gemma = [] {
    return gguf_model("gemma3", 4096, 4096, 32).u32("gemma3.block_count", 4).u32("gemma3.attention.sliding_window", 8);
  };
  const std::string pattern = "gemma3.attention.sliding_window_pattern";
  CHECK(error(gemma().flags(pattern, {true, false})) == pattern + ": has 2 entries for 4 layers: llama.cpp refuses such a file");
  CHECK(error(gemma().flags(pattern, {true, true, true, false})) == "none");
  CHECK(
      error(gemma().pair(pattern, 9, GgufBytes::list(6, 4, GgufBytes::raw(1.0F) + GgufBytes::raw(NAN) + std::string(8, '\0')))) ==
      pattern + ": holds \"nan\": must be numbers");
}

TEST_CASE("an architecture's name is a word, and keys of other architectures are without effect") {
  CHECK(error(GgufBytes().text("general.architecture", std::string("ll\0a", 4))) ==
        R"(general.architecture = "ll\u0000a": must be up to 64 letters, digits, - _ and .)");
  CHECK(error(GgufBytes().text("general.architecture", "")).find("must be up to 64 letters") != std::string::npos);
  const auto report = read_model(gguf_model("gpt2", 1024, 768, 12).f32("gpt2.rope.freq_base", 10000));
  for (const std::string& w : report.warnings) CHECK(w.find("rope.freq_base") == std::string::npos);
}

TEST_CASE("warnings: unknown architecture, several files, a rule that the file cannot say") {
  CHECK(warns(read_model(gguf_model("novel", 4096, 512, 4)), "architecture \"novel\" is not known"));
  CHECK(
      warns(read_model(llama().u32("split.count", 4)), "split.count = 4: tensors of positions in the other files are not seen"));
  const auto oss = read_model(gguf_model("gpt-oss", 131072, 2880, 64)
                                  .u32("gpt-oss.attention.key_length", 64)
                                  .f32("gpt-oss.rope.freq_base", 150000)
                                  .text("gpt-oss.rope.scaling.type", "yarn")
                                  .f32("gpt-oss.rope.scaling.factor", 32)
                                  .u32("gpt-oss.rope.scaling.original_context_length", 4096));
  CHECK(warns(oss, "gpt-oss: llama.cpp rounds the ends of yarn's ramp"));
  CHECK(words(oss) == "all=yarn:dim=64,base=150000,layout=half_split,factor=32,beta-fast=32,beta-slow=1,original=4096");
}
