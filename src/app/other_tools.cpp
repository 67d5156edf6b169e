#include "app/other_tools.hpp"

#include <algorithm>

namespace posenc::app {
namespace {

using sources::LayerReport;
using sources::ModelReport;

/// The other's layers that stand for this one: of its name, or, where one side tells no types apart, all that there are.
std::vector<const LayerReport*> counterparts(const LayerReport& layer, const ModelReport& other) {
  std::vector<const LayerReport*> named, all;
  for (const LayerReport& o : other.layers) {
    if (o.name == layer.name) named.push_back(&o);
    if (!o.encoding.scheme.empty()) all.push_back(&o);
  }
  return named.empty() ? all : named;
}

}  // namespace

void add_other_tools(ModelReport& report, const std::function<ModelReport(sources::Dialect)>& read) {
  if (!report.any_tool || !report.errors.empty()) return;
  for (const auto d : {sources::Dialect::hf, sources::Dialect::vllm, sources::Dialect::llama_cpp}) {
    if (report.dialect == sources::word_of(d)) continue;
    const ModelReport other = read(d);
    const std::string tool(sources::tool_of(d));
    report.tools.push_back({tool, other.errors.empty() ? "" : other.errors.front(), other.model_known});
    for (const LayerReport& layer : report.layers)
      for (const LayerReport* o : counterparts(layer, other))
        if (o->encoding.scheme != layer.encoding.scheme || o->encoding.values != layer.encoding.values)
          report.what_if.push_back(
              {.condition = tool + " reads the file", .layer = layer.name, .encoding = o->encoding, .tool = tool});
  }
}

bool turns_alike(const ModelReport& report, const std::string& tool) {
  return std::none_of(report.what_if.begin(), report.what_if.end(), [&](const auto& w) { return w.tool == tool; });
}

}  // namespace posenc::app
