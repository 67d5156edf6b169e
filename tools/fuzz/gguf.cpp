#include "sources/gguf_model.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = [&] { return sources::read_gguf(fuzz::bytes_of(data, size), "input"); };
  fuzz::parsed_or_refused([&] { sources::to_json(sources::read_gguf_model(file())); });
  return fuzz::parsed_or_refused([&] {
    const auto parsed = file();
    for (const auto& tensor : std::span(parsed.tensors).first(std::min<std::size_t>(parsed.tensors.size(), 8)))
      fuzz::parsed_or_refused([&] { fuzz::read_elements(*sources::gguf_array(parsed, tensor)); });
  });
}
