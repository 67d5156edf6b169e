#include "sources/config.hpp"

#include "core/error.hpp"
#include "sources/config_forms.hpp"
#include "sources/config_known.hpp"
#include "sources/config_layers.hpp"
#include "sources/config_query_scale.hpp"
#include "sources/config_rotary.hpp"
#include "sources/dialect_llama_cpp.hpp"
#include "sources/mapped_file.hpp"

#include <fmt/format.h>
#include <array>

namespace posenc::sources {
namespace {

using model::Pos;

bool has_sizes(const Json& object) {
  for (const std::string_view key :
       {"hidden_size", "n_embd", "n_embed", "d_model", "num_attention_heads", "n_head", "n_heads", "num_heads"})
    if (object.find(key)) return true;
  return false;
}

/// The object of the text model; other objects of a multimodal file are none of ours.
Scope text_scope(Ledger& ledger, const Json& root) {
  const Scope outer(ledger, root, "");
  const auto descend = [&](const Json* object, const std::string& path) -> std::optional<Scope> {
    if (!object || object->kind != Json::Kind::object || !has_sizes(*object)) return {};
    ledger.mark(path, KeyStatus::used, "the text model");
    for (const auto& [name, value] : root.members)
      if (name != path && name != "model_type" && name != "architectures" && !name.starts_with('_'))
        outer.mark(name, KeyStatus::ignored, fmt::format("outside {}, the text model", path));
    return Scope(ledger, *object, path + ".");
  };
  for (const char* const name : {"text_config", "llm_config", "language_config"})
    if (auto found = descend(root.find(name), name)) return *found;
  if (const Json* thinker = root.find("thinker_config"))
    if (auto found = descend(thinker->find("text_config"), "thinker_config.text_config")) return *found;
  return outer;
}

/// The family of the first class named, empty where there is none.
std::string architecture_type(const Json& root) {
  const Json* list = root.find("architectures");
  if (!list || list->kind != Json::Kind::array || list->items.empty() || list->items[0].kind != Json::Kind::text) return {};
  const Family* family = family_of_class(list->items[0].text);
  return family ? std::string(family->type) : "";
}

std::string model_type(const Scope& text, const Json& root, Ledger& ledger) {
  if (const auto inner = text.word("model_type"); inner && !inner->empty()) return *inner;
  const Json* outer = root.find("model_type");
  if (outer && outer->kind == Json::Kind::text && !outer->text.empty()) {
    ledger.mark("model_type", KeyStatus::used);
    return outer->text;
  }
  if (const std::string type = architecture_type(root); !type.empty()) {
    ledger.mark("architectures", KeyStatus::used, "in place of model_type");
    ledger.warn(fmt::format("model_type: not given: {}, by architectures", type));
    return type;
  }
  ledger.warn("model_type: not given: the usual defaults of rotary models are taken");
  return {};
}

/// Keys of old files that say what the family fixes anyway.
void note_redundant(const Scope& text) {
  for (const std::string_view key : {"rotary", "offset_alibi", "initial_context_length"})
    if (text.value(key)) text.mark(key, KeyStatus::ignored, "without effect in the model's code");
}

/// Keys that look as if they said something about positions and that nothing has read; those of other models say nothing here.
void warn_of_unread(const Json& object, const std::string& prefix, Ledger& ledger) {
  for (const auto& [name, value] : object.members) {
    if (ledger.touched(prefix + name)) continue;
    if (is_position_key(name)) {
      ledger.mark(prefix + name, KeyStatus::ignored, "without effect in this model");
      continue;
    }
    for (const std::string_view part : {"rope", "rotary", "position", "alibi", "yarn", "logn"})
      if (name.find(part) != std::string::npos) {
        ledger.mark(prefix + name, KeyStatus::ignored, "not known here");
        ledger.warn(fmt::format("{}{} = {}: not known here, and not used", prefix, name, json_brief(value)));
        break;
      }
  }
}

}  // namespace

ModelReport read_config(std::string_view text, std::string_view file, Dialect as) {
  return read_config(parse_json(text, file), file, as);
}

ModelReport read_config(const JsonDocument& document, std::string_view file, Dialect as) {
  if (document.root.kind != Json::Kind::object) throw BadData(fmt::format("{}: must be a JSON object", file));
  ModelReport report;
  report.dialect = word_of(as);
  report.any_tool = true;
  Ledger ledger(report);
  const Scope scope = text_scope(ledger, document.root);
  if (ledger.failed()) return report.keys.clear(), report;
  for (const std::string& path : document.repeated) {
    ledger.mark(path, KeyStatus::conflicting, "given twice: the last one counts");
    ledger.warn(fmt::format("{}: given twice: the last one counts", path));
  }

  report.model_type = model_type(scope, document.root, ledger);
  const Family* family = family_of(report.model_type);
  const Subject subject{scope, report.model_type, family ? *family : Family{}, as};
  report.model_known = family != nullptr;
  if (!family && !report.model_type.empty())
    ledger.warn(fmt::format("model_type \"{}\" is not known: rotation in half_split pairs is taken", report.model_type));
  const Kind kind = kind_of(subject);
  if (kind == Kind::rotary) {
    if (as == Dialect::llama_cpp) report.model_known = note_conversion(subject);
    read_rotary(subject, report);
  } else {
    read_form(subject, kind, report);
  }
  report.heads = attention_heads(subject);
  if (report.layers.size() == 1 && report.layers[0].layers.empty())
    for (Pos i = 0; i < layer_count(subject); ++i) report.layers[0].layers.push_back(i);
  read_query_scale(scope, report.layers);
  note_redundant(scope);
  warn_of_unread(*scope.self(), scope.path(""), ledger);
  if (ledger.failed()) report.layers.clear();
  if (as != Dialect::hf)
    for (std::string& line : report.errors) line = fmt::format("{}: {}", tool_of(as), line);
  return report;
}

ModelReport read_config_file(const std::string& path, Dialect as) {
  return read_config(read_text(path, largest_config), path, as);
}

}  // namespace posenc::sources
