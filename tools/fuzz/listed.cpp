#include "sources/config_scope.hpp"
#include "sources/listed.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] {
    const auto document = sources::parse_json(fuzz::text_of(data, size), "input");
    if (!sources::lists_encodings(document)) return;
    const auto report = sources::read_listed(document, "folder");
    if (report.errors.empty() == report.layers.empty()) std::abort();
    sources::to_json(report);
  });
}
