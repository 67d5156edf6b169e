#include "sources/csv.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] { fuzz::read_elements(*sources::read_csv(fuzz::text_of(data, size), "input")); });
}
