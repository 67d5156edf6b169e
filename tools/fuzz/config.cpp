#include "sources/config.hpp"
#include "sources/model_file.hpp"
#include "target.hpp"

using namespace posenc;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return fuzz::parsed_or_refused([&] {
    const auto text = fuzz::text_of(data, size);
    const auto check = [](const sources::ModelReport& report) {
      if (report.errors.empty() == report.layers.empty() && report.scheme != "none") std::abort();
      sources::to_json(report);
      for (const auto& layer : report.layers) sources::encoding_text(layer.encoding);
    };
    check(sources::read_model_text(text, "input", "folder"));
    for (const auto as : {sources::Dialect::vllm, sources::Dialect::llama_cpp}) check(sources::read_config(text, "input", as));
  });
}
