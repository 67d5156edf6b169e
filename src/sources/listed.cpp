#include "sources/listed.hpp"

#include "sources/config_scope.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <set>

namespace posenc::sources {
namespace {

constexpr std::string_view key = "encodings";
constexpr std::size_t most_errors = 100;  // enough of them to see that the file is none

/// The value as a field takes it; nothing for what no field holds.
std::optional<std::string> field_text(const Json& v) {
  switch (v.kind) {
    case Json::Kind::text:
      return v.text;
    case Json::Kind::boolean:
    case Json::Kind::integer:
    case Json::Kind::number:
      return json_text(v);
    case Json::Kind::array: {
      std::string out;
      for (const Json& item : v.items) {
        if (item.kind != Json::Kind::integer && item.kind != Json::Kind::number) return {};
        out += (out.empty() ? "" : "/") + json_text(item);
      }
      return out;
    }
    default:
      return {};
  }
}

/// Made of the characters that labels have.
bool is_plain(std::string_view word) {
  const auto may = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_.+-").find(c) != std::string_view::npos;
  };
  return !word.empty() && std::all_of(word.begin(), word.end(), may);
}

void take_values(const Scope& entry, model::EncodingSpec& spec) {
  const auto values = entry.object("values");
  if (!values) return;
  for (const auto& [name, value] : values->members()) {
    const auto text = field_text(value);
    values->mark(name, KeyStatus::used);
    if (!text)
      entry.ledger().error(fmt::format("{} = {}: must be a number, true or false, text or a list of numbers", values->path(name),
                                       json_brief(value)));
    else
      spec.values.emplace_back(name, *text);
  }
}

void take_files(const Scope& entry, const std::string& folder, model::EncodingSpec& spec) {
  const auto files = entry.object("files");
  if (!files) return;
  for (const auto& [name, value] : files->members()) {
    const auto file = files->word(name);
    if (file && file->empty()) entry.ledger().error(fmt::format("{}: must name a file", files->path(name)));
    if (file) spec.values.emplace_back(name, folder.empty() || file->starts_with('/') ? *file : folder + "/" + *file);
  }
}

LayerReport entry_layer(const Scope& entry, const std::string& folder) {
  LayerReport layer;
  layer.name = entry.word("label").value_or("all");
  if (!is_plain(layer.name) || layer.name[0] == '.' || layer.name[0] == '+' || layer.name[0] == '-')
    entry.ledger().error(fmt::format("{} = {}: must be letters, digits and _.+-, the first a letter, digit or _",
                                     entry.path("label"), json_string(brief(layer.name))));
  if (const auto scheme = entry.word("scheme")) {
    layer.encoding.scheme = *scheme;
    if (!is_plain(*scheme))
      entry.ledger().error(fmt::format("{} = {}: must be a scheme's name", entry.path("scheme"), json_string(brief(*scheme))));
  } else if (!entry.value("scheme")) {
    entry.ledger().error(fmt::format("{}: missing", entry.path("scheme")));
  }
  take_values(entry, layer.encoding);
  take_files(entry, folder, layer.encoding);
  for (const auto& [name, value] : entry.members())
    if (!entry.ledger().touched(entry.path(name)))
      entry.ledger().error(fmt::format("{}: unknown: must be scheme, label, values or files", entry.path(name)));
  return layer;
}

}  // namespace

bool lists_encodings(const JsonDocument& document) { return document.root.find(key) != nullptr; }

ModelReport read_listed(const JsonDocument& document, const std::string& folder) {
  ModelReport report;
  Ledger ledger(report);
  const Scope root(ledger, document.root, "");
  for (const std::string& path : document.repeated) ledger.error(fmt::format("{}: given twice", path));
  const Json& list = *root.value(key);
  root.mark(key, KeyStatus::used);
  if (list.kind != Json::Kind::array || list.items.empty()) ledger.error(fmt::format("{}: must be a list of encodings", key));
  std::set<std::string> labels;
  for (std::size_t k = 0; k < list.items.size() && report.errors.size() < most_errors; ++k) {
    const std::string path = fmt::format("{}[{}]", key, k);
    if (list.items[k].kind != Json::Kind::object) {
      ledger.error(fmt::format("{}: must be an object", path));
      continue;
    }
    report.layers.push_back(entry_layer(Scope(ledger, list.items[k], path + "."), folder));
    const std::string& label = report.layers.back().name;
    if (!labels.insert(label).second) ledger.error(fmt::format("{}.label = {}: given twice", path, brief(label)));
  }
  if (ledger.failed()) report.layers.clear();
  if (!report.layers.empty()) report.scheme = report.layers[0].encoding.scheme;
  return report;
}

}  // namespace posenc::sources
