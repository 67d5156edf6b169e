#include "sources/llama_cpp_conversion.hpp"

#include <algorithm>

namespace posenc::sources {
namespace {

// ggml-org/llama.cpp conversion/: the class registered for the model, and what its set_gguf_parameters and
// generate_extra_tensors write. Divisors of llama3: llama.py and the classes made from it, exaone.py.
constexpr Conversion conversions[] = {
    {.type = "llama", .architecture = "llama", .bands = true},
    {.type = "mistral", .architecture = "llama", .bands = true},
    {.type = "mixtral", .architecture = "llama", .bands = true},
    {.type = "llama4_text", .architecture = "llama4", .bands = true},
    {.type = "ministral3", .architecture = "mistral3", .bands = true},
    {.type = "smollm3", .architecture = "smollm3", .bands = true},
    {.type = "granite", .architecture = "granite", .bands = true},
    {.type = "granitemoe", .architecture = "granitemoe", .bands = true},
    {.type = "exaone", .architecture = "exaone", .bands = true},
    {.type = "exaone4", .architecture = "exaone4", .bands = true},
    {.type = "internlm2", .architecture = "internlm2"},
    {.type = "internlm3", .architecture = "llama"},
    {.type = "baichuan", .architecture = "baichuan"},
    {.type = "orion", .architecture = "orion"},
    {.type = "qwen", .architecture = "qwen"},
    {.type = "qwen2", .architecture = "qwen2"},
    {.type = "qwen2_moe", .architecture = "qwen2moe"},
    {.type = "qwen2_vl", .architecture = "qwen2vl"},
    {.type = "qwen2_vl_text", .architecture = "qwen2vl"},
    {.type = "qwen2_5_vl", .architecture = "qwen2vl"},
    {.type = "qwen2_5_vl_text", .architecture = "qwen2vl"},
    {.type = "qwen3", .architecture = "qwen3"},
    {.type = "qwen3_moe", .architecture = "qwen3moe"},
    {.type = "qwen3_vl_text", .architecture = "qwen3vl"},
    {.type = "qwen3_next", .architecture = "qwen3next", .partial = true},
    {.type = "qwen3_5_text", .architecture = "qwen35", .partial = true},
    {.type = "qwen3_5_moe_text", .architecture = "qwen35moe", .partial = true},
    {.type = "gemma", .architecture = "gemma"},
    {.type = "gemma2", .architecture = "gemma2"},
    {.type = "gemma3", .architecture = "gemma3"},
    {.type = "gemma3_text", .architecture = "gemma3"},
    {.type = "gemma3n", .architecture = "gemma3n"},
    {.type = "gemma3n_text", .architecture = "gemma3n"},
    {.type = "gemma4", .architecture = "gemma4"},
    {.type = "gemma4_text", .architecture = "gemma4"},
    {.type = "modernbert", .architecture = "modern-bert"},
    {.type = "phi", .architecture = "phi2", .partial = true, .bare = true},
    {.type = "phi3", .architecture = "phi3", .partial = true, .lists = WrittenLists::phi},
    {.type = "phimoe", .architecture = "phimoe", .partial = true, .lists = WrittenLists::phi},
    {.type = "gpt_neox", .architecture = "gptneox", .partial = true, .bare = true},
    {.type = "falcon", .architecture = "falcon"},
    {.type = "falcon_h1", .architecture = "falcon-h1"},
    {.type = "stablelm", .architecture = "stablelm", .partial = true},
    {.type = "nemotron", .architecture = "nemotron", .partial = true},
    {.type = "starcoder2", .architecture = "starcoder2"},
    {.type = "olmo", .architecture = "olmo"},
    {.type = "olmo2", .architecture = "olmo2"},
    {.type = "olmo3", .architecture = "olmo2"},
    {.type = "olmoe", .architecture = "olmoe"},
    {.type = "minicpm", .architecture = "minicpm", .lists = WrittenLists::minicpm},
    {.type = "minicpm3", .architecture = "minicpm3", .lists = WrittenLists::minicpm},
    {.type = "deepseek", .architecture = "deepseek", .unscaled = true},
    {.type = "deepseek_v2", .architecture = "deepseek2"},
    {.type = "deepseek_v3", .architecture = "deepseek2"},
    {.type = "kimi_k2", .architecture = "deepseek2"},
    {.type = "youtu_llm", .architecture = "deepseek2"},
    {.type = "glm4_moe_lite", .architecture = "deepseek2"},
    {.type = "gpt_oss", .architecture = "gpt-oss"},
    {.type = "lfm2", .architecture = "lfm2"},
    {.type = "lfm2_moe", .architecture = "lfm2moe"},
    {.type = "bitnet", .architecture = "bitnet"},
    {.type = "seed_oss", .architecture = "seed_oss"},
    {.type = "glm4_moe", .architecture = "glm4moe", .partial = true},
    {.type = "glm", .architecture = "chatglm", .partial = true},
    {.type = "glm4", .architecture = "glm4", .partial = true},
    {.type = "chatglm", .architecture = "chatglm", .partial = true},
    {.type = "cohere", .architecture = "command-r", .unscaled = true},
    {.type = "cohere2", .architecture = "cohere2", .unscaled = true},
    {.type = "ernie4_5", .architecture = "ernie4_5"},
    {.type = "ernie4_5_moe", .architecture = "ernie4_5-moe"},
    {.type = "hunyuan_v1_dense", .architecture = "hunyuan-dense"},
    {.type = "hunyuan_v1_moe", .architecture = "hunyuan-moe"},
};

}  // namespace

const Conversion* conversion_of(std::string_view model_type) {
  const auto* const c = std::find_if(std::begin(conversions), std::end(conversions),
                                     [&](const Conversion& known) { return known.type == model_type; });
  return c == std::end(conversions) ? nullptr : c;
}

}  // namespace posenc::sources
