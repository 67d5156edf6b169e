#include "sources/safetensors.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] { sources::read_safetensors(fuzz::bytes_of(data, size), "input", ""); });
}
