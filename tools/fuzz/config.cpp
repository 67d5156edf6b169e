#include "sources/model_file.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] { sources::read_model_text(fuzz::text_of(data, size), "input", ""); });
}
