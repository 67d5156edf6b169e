#include "sources/json.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] {
    const auto document = sources::parse_json(fuzz::text_of(data, size), "input");
    const std::string text = sources::json_text(document.root);
    if (sources::json_text(sources::parse_json(text, "text").root) != text) std::abort();
  });
}
