#include "sources/config.hpp"
#include "sources/model_file.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] {
    const auto text = fuzz::text_of(data, size);
    sources::read_model_text(text, "input", "");
    for (const auto as : {sources::Dialect::vllm, sources::Dialect::llama_cpp}) sources::read_config(text, "input", as);
  });
}
