#pragma once
// sources: the tools that read one and the same config.json, each in its own way.
#include <array>
#include <string_view>

namespace posenc::sources {

/// huggingface/transformers, the newest; vllm-project/vllm; ggml-org/llama.cpp: what its converter writes and its run time then
/// computes.
enum class Dialect : int { hf, vllm, llama_cpp };

/// The user's words, in the order of the enum.
inline constexpr std::array<std::string_view, 3> dialect_words{"hf", "vllm", "llama.cpp"};
/// The names that stand before a tool's errors and in notes.
inline constexpr std::array<std::string_view, 3> dialect_tools{"transformers", "vLLM", "llama.cpp"};

constexpr std::string_view word_of(Dialect d) { return dialect_words[static_cast<std::size_t>(d)]; }
constexpr std::string_view tool_of(Dialect d) { return dialect_tools[static_cast<std::size_t>(d)]; }

}  // namespace posenc::sources
