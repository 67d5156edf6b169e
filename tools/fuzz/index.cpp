#include "sources/safetensors.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] {
    const std::string file = sources::shard_of(fuzz::text_of(data, size), "input", "a");
    if (file.empty() || file.find('/') != std::string::npos || file == "..") std::abort();
  });
}
