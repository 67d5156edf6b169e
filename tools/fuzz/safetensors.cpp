#include "sources/safetensors.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  for (const char* const name : {"", "a"})
    fuzz::parsed_or_refused([&] { fuzz::read_elements(*sources::read_safetensors(fuzz::bytes_of(data, size), "input", name)); });
  return 0;
}
