#pragma once
// sources: vLLM's two readings of yarn: its own, and the one of DeepSeek's models.
#include "sources/config_rope.hpp"

namespace posenc::sources {

/// yarn_scaling_rope.py and mrope.py of vllm-project/vllm; telechat3-yarn is yarn with a magnitude of its own.
void read_vllm_yarn(const Rotation& r);
/// deepseek_scaling_rope.py and models/deepseek_v2.py there.
void read_vllm_deepseek_yarn(const Rotation& r);

}  // namespace posenc::sources
