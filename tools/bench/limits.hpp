#pragma once
// bench: loops that do nothing but reach one limit of the machine.
#include <cstdint>

namespace posenc::bench {

/// Streaming stores to `count` doubles, in order, by the threads in use; `to` aligned to 64 bytes.
void store(double* to, std::int64_t count);
/// `count` fused multiply-adds of one double each, in full vectors, without memory.
void multiply_add(double count);
/// `count` square roots of one double each, in full vectors, without memory.
void square_root(double count);

}  // namespace posenc::bench
