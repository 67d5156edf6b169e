#include "sources/gguf_model.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] { sources::read_gguf_model(sources::read_gguf(fuzz::bytes_of(data, size), "input")); });
}
