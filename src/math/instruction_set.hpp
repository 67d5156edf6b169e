#pragma once
// math: which instruction set the kernels were compiled for. Bits agree between machines of the same one.
#include <string_view>

namespace posenc::math {

/// "AVX-512", "AVX2", "NEON", "SSE2" or "portable".
std::string_view instruction_set();

}  // namespace posenc::math
