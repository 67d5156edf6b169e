#include "sources/config_family.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace posenc::sources {
namespace {

// Class defaults: huggingface/transformers src/transformers/models/*/configuration_*.py. Interleaved pairs: the same models'
// apply_rotary_pos_emb, ml-explore/mlx-lm ("traditional") and vllm-project/vllm (is_neox_style).
constexpr Family rotary_families[] = {
    {.type = "llama", .positions = 2048},
    {.type = "mistral", .positions = 131072},
    {.type = "mixtral", .base = 1e6, .positions = 131072},
    {.type = "ministral"},
    {.type = "ministral3"},
    {.type = "qwen"},
    {.type = "qwen2", .positions = 32768},
    {.type = "qwen2_moe", .positions = 32768},
    {.type = "qwen3", .head_dim = 128, .positions = 32768},
    {.type = "qwen3_moe", .positions = 32768},
    {.type = "qwen3_next", .partial = 0.25, .head_dim = 256, .positions = 32768},
    {.type = "qwen3_5_text", .partial = 0.25, .head_dim = 256, .positions = 32768},
    {.type = "qwen3_5_moe_text", .partial = 0.25, .head_dim = 256, .positions = 32768},
    {.type = "qwen2_vl", .base = 1e6, .positions = 32768},
    {.type = "qwen2_vl_text", .base = 1e6, .positions = 32768},
    {.type = "qwen2_5_vl", .base = 1e6, .positions = 32768},
    {.type = "qwen2_5_vl_text", .base = 1e6, .positions = 32768},
    {.type = "qwen3_vl_text", .base = 500000, .head_dim = 128, .positions = 128000},
    {.type = "gemma", .head_dim = 256, .positions = 8192},
    {.type = "gemma2", .head_dim = 256, .positions = 8192},
    {.type = "gemma3", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 131072},
    {.type = "gemma3_text", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 131072},
    {.type = "gemma3n", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 32768},
    {.type = "gemma3n_text", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 32768},
    {.type = "gemma4", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 131072},
    {.type = "gemma4_text", .base = 1e6, .local_base = 1e4, .head_dim = 256, .positions = 131072},
    {.type = "recurrent_gemma", .partial = 0.5, .positions = 8192},
    {.type = "modernbert", .base = 160000, .local_base = 1e4, .positions = 8192},
    {.type = "modernbert-decoder", .base = 160000, .local_base = 1e4, .positions = 8192},
    {.type = "phi", .partial = 0.5, .positions = 2048},
    {.type = "phi-msft", .positions = 2048},
    {.type = "phi3", .positions = 4096},
    {.type = "phimoe", .base = 1e6, .positions = 131072},
    {.type = "gpt_neox", .partial = 0.25, .positions = 2048},
    {.type = "gptj", .interleaved = true, .positions = 2048},
    {.type = "codegen", .interleaved = true, .positions = 2048},
    {.type = "falcon", .positions = 2048},
    {.type = "falcon_h1", .base = 100000, .positions = 8192},
    {.type = "stablelm", .partial = 0.25, .positions = 4096},
    {.type = "persimmon", .base = 25000, .partial = 0.5, .positions = 16384},
    {.type = "fuyu", .base = 25000, .partial = 0.5, .positions = 16384},
    {.type = "nemotron", .partial = 0.5, .positions = 4096},
    {.type = "bamba", .partial = 0.5, .positions = 262144},
    {.type = "starcoder2", .positions = 4096},
    {.type = "granite", .positions = 2048},
    {.type = "granitemoe", .positions = 2048},
    {.type = "granitemoehybrid", .positions = 2048},
    {.type = "olmo", .positions = 2048},
    {.type = "olmo2", .positions = 2048},
    {.type = "olmo3", .base = 500000, .positions = 2048},
    {.type = "olmoe", .positions = 4096},
    {.type = "internlm"},
    {.type = "internlm2"},
    {.type = "internlm3"},
    {.type = "baichuan"},
    {.type = "orion"},
    {.type = "aquila"},
    {.type = "minicpm"},
    {.type = "minicpm3"},
    {.type = "deepseek", .positions = 4096},
    {.type = "exaone"},
    {.type = "exaone4", .positions = 2048},
    {.type = "gpt_oss", .base = 150000, .head_dim = 64, .positions = 131072},
    {.type = "smollm3", .base = 2e6, .positions = 32768},
    {.type = "mllama_text_model", .base = 500000, .positions = 131072},
    {.type = "lfm2", .base = 1e6, .positions = 128000},
    {.type = "lfm2_moe", .base = 1e6, .positions = 128000},
    {.type = "bitnet", .base = 500000, .positions = 2048},
    {.type = "seed_oss", .head_dim = 128, .positions = 524288},
    {.type = "minimax", .base = 1e6, .positions = 131072},
    {.type = "glm4_moe", .partial = 0.5, .positions = 131072},
    {.type = "hunyuan_v1_dense", .positions = 2048},
    {.type = "hunyuan_v1_moe", .positions = 2048},
    {.type = "llava"},
    {.type = "laguna"},
    {.type = "cohere", .interleaved = true, .positions = 8192},
    {.type = "cohere2", .interleaved = true, .positions = 8192},
    {.type = "glm", .partial = 0.5, .interleaved = true, .head_dim = 128, .positions = 131072},
    {.type = "glm4", .partial = 0.5, .interleaved = true, .head_dim = 128, .positions = 131072},
    {.type = "chatglm", .partial = 0.5, .interleaved = true},
    {.type = "llama4_text", .base = 500000, .interleaved = true, .head_dim = 128, .positions = 131072},
    {.type = "ernie4_5", .base = 500000, .interleaved = true, .head_dim = 128, .positions = 131072},
    {.type = "ernie4_5_moe", .base = 500000, .interleaved = true, .positions = 131072},
    {.type = "helium", .base = 100000, .interleaved = true, .head_dim = 128, .positions = 4096},
    {.type = "deepseek_v2", .interleaved = true, .head_dim = 64, .positions = 2048},
    {.type = "deepseek_v3", .interleaved = true, .head_dim = 64, .positions = 4096},
    {.type = "deepseek_v32", .interleaved = true, .head_dim = 64},
    {.type = "deepseek_v4", .interleaved = true, .head_dim = 64, .positions = 1048576},
    {.type = "kimi_k2", .interleaved = true, .head_dim = 64},
    {.type = "glm4_moe_lite", .interleaved = true, .head_dim = 64},
    {.type = "longcat_flash", .interleaved = true, .head_dim = 64},
    {.type = "youtu_llm", .interleaved = true, .head_dim = 64},
};

constexpr Family other_families[] = {
    {.type = "gpt2", .kind = Kind::learned, .positions = 1024},
    {.type = "gpt_neo", .kind = Kind::learned, .positions = 2048},
    {.type = "gpt_bigcode", .kind = Kind::learned, .positions = 1024},
    {.type = "openai-gpt", .kind = Kind::learned, .positions = 512},
    {.type = "bert", .kind = Kind::learned, .positions = 512},
    {.type = "distilbert", .kind = Kind::learned, .positions = 512},
    {.type = "albert", .kind = Kind::learned, .positions = 512},
    {.type = "electra", .kind = Kind::learned, .positions = 512},
    {.type = "roberta", .kind = Kind::learned, .positions = 512, .rows = TableRows::after_padding},
    {.type = "xlm-roberta", .kind = Kind::learned, .positions = 512, .rows = TableRows::after_padding},
    {.type = "camembert", .kind = Kind::learned, .positions = 512, .rows = TableRows::after_padding},
    {.type = "opt", .kind = Kind::learned, .positions = 2048, .rows = TableRows::two_more},
    {.type = "bart", .kind = Kind::learned, .positions = 1024, .rows = TableRows::two_more},
    {.type = "mbart", .kind = Kind::learned, .positions = 1024, .rows = TableRows::two_more},
    {.type = "biogpt", .kind = Kind::learned, .positions = 1024, .rows = TableRows::two_more},
    {.type = "marian", .kind = Kind::sinusoid, .positions = 1024},
    {.type = "pegasus", .kind = Kind::sinusoid, .positions = 1024},
    {.type = "whisper", .kind = Kind::sinusoid_learned},
    {.type = "t5", .kind = Kind::t5},
    {.type = "mt5", .kind = Kind::t5},
    {.type = "umt5", .kind = Kind::t5},
    {.type = "switch_transformers", .kind = Kind::t5},
    {.type = "bloom", .kind = Kind::alibi, .positions = 2048},
    {.type = "mpt", .kind = Kind::alibi, .positions = 2048},
    {.type = "deberta", .kind = Kind::deberta, .positions = 512},
    {.type = "deberta-v2", .kind = Kind::deberta, .positions = 512},
    {.type = "transfo-xl", .kind = Kind::transformer_xl},
    {.type = "jamba", .kind = Kind::none, .positions = 262144},
    {.type = "mamba", .kind = Kind::no_attention},
    {.type = "mamba2", .kind = Kind::no_attention},
    {.type = "falcon_mamba", .kind = Kind::no_attention},
    {.type = "rwkv", .kind = Kind::no_attention},
    {.type = "nemotron_h", .kind = Kind::none},
};

constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"RefinedWeb", "falcon"},
    {"RefinedWebModel", "falcon"},
    {"Yi", "llama"},
    {"mllama", "mllama_text_model"},
    {"llama4", "llama4_text"},
    {"qwen3_vl", "qwen3_vl_text"},
    {"qwen3_5", "qwen3_5_text"},
    {"glm4v_text", "glm4"},
    {"InternLM3", "internlm3"},
    {"qwen2_5_omni_text", "qwen2_5_vl_text"},
};

/// Letters and digits alone, in lower case.
std::string letters(std::string_view name) {
  std::string out;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

}  // namespace

const Family* family_of(std::string_view type) {
  for (const auto& [other, name] : other_names)
    if (type == other) type = name;
  const auto named = [&](const Family& f) { return f.type == type; };
  if (const auto* f = std::find_if(std::begin(rotary_families), std::end(rotary_families), named); f != std::end(rotary_families))
    return f;
  const auto* f = std::find_if(std::begin(other_families), std::end(other_families), named);
  return f == std::end(other_families) ? nullptr : f;
}

const Family* family_of_class(std::string_view name) {
  for (const std::string_view end : {"ForCausalLM", "LMHeadModel", "ForConditionalGeneration", "ForMaskedLM", "Model"})
    if (name.ends_with(end)) {
      name.remove_suffix(end.size());
      break;
    }
  const auto same = [&](const Family& f) { return letters(f.type) == letters(name); };
  for (const auto& list : {std::span<const Family>(rotary_families), std::span<const Family>(other_families)})
    if (const auto f = std::find_if(list.begin(), list.end(), same); f != list.end()) return &*f;
  return nullptr;
}

}  // namespace posenc::sources
