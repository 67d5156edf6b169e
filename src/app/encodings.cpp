#include "app/encodings.hpp"

#include "app/data_folder.hpp"
#include "app/encoding_string.hpp"
#include "app/idle_keys.hpp"
#include "app/labels.hpp"
#include "app/subjects.hpp"
#include "app/tables.hpp"
#include "core/error.hpp"
#include "schemes/limits.hpp"
#include "schemes/registry.hpp"
#include "sources/model_file.hpp"
#include "sources/preset.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::app {
namespace {

constexpr std::string_view dialect_key = "as";

struct Collected {
  std::vector<model::EncodingSpec> specs;
  std::vector<LabelWish> labels;
  std::vector<bool> of_all;

  void add(model::EncodingSpec spec, LabelWish label, bool from_all = false) {
    specs.push_back(std::move(spec));
    labels.push_back(std::move(label));
    of_all.push_back(from_all);
  }
};

bool is_scheme(std::string_view name) {
  const auto names = schemes::registry().names();
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Sets the values in every encoding of a file that has the field; the file's own are replaced. Each must have an effect in one.
void set_values(std::vector<model::EncodingSpec>& specs, const EncodingWord& word) {
  for (const auto& [key, value] : word.values) {
    bool known = false;
    for (auto& spec : specs) {
      Fields fields = schemes::registry().make(spec.scheme)->fields();
      if (!find(fields, key)) continue;
      known = true;
      std::erase_if(spec.values, [&](const auto& v) { return v.first == key; });
      spec.values.emplace_back(key, value);
    }
    if (!known) make_scheme({specs.front().scheme, "", {{key, value}}});
  }
  for (const auto& [key, value] : word.values) {
    bool used = false;
    std::string scheme, idle;
    for (const auto& spec : specs) {
      if (std::none_of(spec.values.begin(), spec.values.end(), [&](const auto& v) { return v.first == key; })) continue;
      const std::string why = idle_reason(spec, key);
      used |= why.empty();
      if (!why.empty()) scheme = spec.scheme, idle = why;
    }
    if (!used) reject(scheme, key, value, idle);
  }
}

/// A table's file that holds one dimension, those of size 1 left out: frequencies of a rotation.
void take_vector(model::EncodingSpec& spec, const std::string& file) {
  if (spec.values != std::vector<std::pair<std::string, std::string>>{{"table", file}}) return;
  const auto array = Tables().open(file);
  const auto shape = array->shape();
  if (shape.empty() || std::count_if(shape.begin(), shape.end(), [](model::Pos n) { return n != 1; }) > 1) return;
  const model::Pos pairs = array->size();
  if (pairs > schemes::largest_width / 2)
    throw BadData(fmt::format("{}: {} frequencies: a head has at most {} pairs", file, pairs, schemes::largest_width / 2));
  spec.scheme = "rope";
  spec.values = {{"dim", std::to_string(2 * pairs)}, {"inv-freq", file}};
}

/// `label` and `folder` as sources::read_encodings has them.
void add_file(Collected& out, const std::string& file, EncodingWord word, const std::string& label = {},
              const std::string& folder = {}) {
  const auto as = dialect_of(word);
  std::erase_if(word.values, [](const auto& v) { return v.first == dialect_key; });
  std::vector<model::EncodingSpec> specs = sources::read_encodings(file, label, folder, as);
  if (specs.size() == 1) take_vector(specs[0], file);
  set_values(specs, word);
  for (auto& spec : specs) {
    LabelWish wish{spec.label, false};
    if (!word.label.empty()) wish = {word.label + (specs.size() > 1 ? spec.label.substr(spec.label.rfind('.')) : ""), true};
    out.add(std::move(spec), std::move(wish));
  }
}

void add_word(Collected& out, const std::string& text) {
  const EncodingWord word = parse_encoding(text);
  const bool set = word.kind == WordKind::scheme && (word.name == "all" || word.name == "standard");
  if (set && !(word.values.empty() && word.label.empty()))
    throw UsageError(
        fmt::format("{}: '{}': a set takes no values; --dim, --base and --heads reach every member", word.name, text));
  if (set && word.name == "all") {
    for (const auto name : schemes::registry().names()) out.add({std::string(name), "", {}}, {std::string(name), false}, true);
  } else if (set) {
    for (const auto& member : standard_set()) add_word(out, member);
  } else if (word.kind == WordKind::preset) {
    add_file(out, sources::preset_file(data_folder(), word.name), word, word.name, sources::preset_folder(word.name));
  } else if (word.kind == WordKind::file) {
    add_file(out, word.name, word);
  } else {
    if (is_scheme(word.name)) refuse_idle_keys({word.name, "", word.values});
    out.add({word.name, "", word.values}, word.label.empty() ? LabelWish{word.name, false} : LabelWish{word.label, true});
  }
}

}  // namespace

std::optional<sources::Dialect> dialect_of(const EncodingWord& word) {
  const auto given = std::find_if(word.values.begin(), word.values.end(), [](const auto& v) { return v.first == dialect_key; });
  if (given == word.values.end()) return {};
  auto as = sources::Dialect::hf;
  Field field{dialect_key, "1", "", choice(as, sources::dialect_words)};
  set(word.name, field, given->second);
  return as;
}

const std::vector<std::string>& standard_set() {
  static const std::vector<std::string> built = [] {
    std::vector<std::string> out;
    for (const char* word : {"sinusoidal", "learned", "shaw", "transformer-xl", "t5", "tupe", "deberta", "alibi", "rope",
                             "pi:factor=4", "ntk:factor=4", "yarn:factor=4", "nope"})
      if (is_scheme(parse_encoding(word).name)) out.emplace_back(word);
    return out;
  }();
  return built;
}

Expanded expand(const std::vector<std::string>& words, Overrides& overrides) {
  Collected all;
  for (const auto& word : words) add_word(all, word);
  for (const auto& spec : all.specs) make_scheme(spec);
  Expanded out{std::move(all.specs), std::move(all.of_all), {}};
  for (const auto& name : apply(overrides, out.specs))
    out.notes.push_back(fmt::format("note: --{} changes nothing: every encoding with that field sets its own", name));
  const auto labels = assign_labels(all.labels);
  for (std::size_t i = 0; i < labels.size(); ++i) out.specs[i].label = labels[i];
  return out;
}

}  // namespace posenc::app
