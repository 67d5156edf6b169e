#include "app/comparison_side.hpp"

#include "app/data_folder.hpp"
#include "app/encoding_string.hpp"
#include "app/encodings.hpp"
#include "app/tables.hpp"
#include "sources/loader.hpp"
#include "sources/model_file.hpp"
#include "sources/preset.hpp"

#include <algorithm>

namespace posenc::app {
namespace {

using model::Pos;

constexpr std::string_view gguf = ".gguf";

/// Of a frequency or factor made of three float32 numbers (base, divisor, factor), each within 2^-24, with room for a fourth.
constexpr double of_three = 0x1p-22;
/// Of a vector computed in float32: up to 3.3e-7 in the power that huggingface/transformers takes.
constexpr double of_power = 0x1p-21;

/// The largest number of positions that the program knows.
constexpr double most_positions = 0x1p53;

/// The value of a field of that name that is a number; nothing for other fields and where it follows the length in use.
std::optional<double> number_of(model::Scheme& scheme, std::string_view name) {
  Fields fields = scheme.fields();
  const Field* field = find(fields, name);
  if (!field) return {};
  if (double* const* value = std::get_if<double*>(&field->slot)) return **value;
  if (std::optional<double>* const* value = std::get_if<std::optional<double>*>(&field->slot)) return **value;
  return {};
}

/// Whether a vector holds float32 numbers.
bool is_float32(const model::Tensor& vector) {
  std::vector<double> values(static_cast<std::size_t>(vector.size()));
  vector.read(0, values);
  return std::all_of(values.begin(), values.end(), [](double v) { return static_cast<double>(static_cast<float>(v)) == v; });
}

}  // namespace

const sources::LayerReport* Side::layer(std::size_t spec) const {
  for (std::size_t k = 0; model && k < model->layers.size(); ++k)
    if (spec_of(k) == spec) return &model->layers[k];
  return nullptr;
}

std::optional<std::size_t> Side::spec_of(std::size_t layer) const {
  if (!model || model->layers[layer].encoding.scheme.empty()) return {};
  return static_cast<std::size_t>(std::count_if(model->layers.begin(), model->layers.begin() + static_cast<std::ptrdiff_t>(layer),
                                                [](const auto& l) { return !l.encoding.scheme.empty(); }));
}

Side read_side(const std::string& word, Overrides& overrides) {
  Side out;
  out.word = word, out.specs = expand({word}, overrides).specs;
  const EncodingWord parsed = parse_encoding(word);
  if (parsed.kind == WordKind::preset) {
    out.model = sources::read_model(sources::preset_file(data_folder(), parsed.name), sources::preset_folder(parsed.name),
                                    dialect_of(parsed));
  } else if (parsed.kind == WordKind::file) {
    const bool weights = parsed.name.ends_with(gguf);
    if (weights) out.stored = of_three;
    if (weights || (parsed.name.ends_with(".json") && !sources::is_table(parsed.name)))
      out.model = sources::read_model(parsed.name, {}, dialect_of(parsed));
    if (!out.model && sources::is_table(parsed.name)) out.table = parsed.name;
    const auto& values = out.specs.front().values;
    const auto frequencies = std::find(values.begin(), values.end(), std::pair{std::string("inv-freq"), parsed.name});
    if (frequencies != values.end()) {
      if (is_float32(*Tables().open(parsed.name))) out.stored = of_power;
      out.vector = std::all_of(values.begin(), values.end(),
                               [](const auto& v) { return v.first == "dim" || v.first == "inv-freq" || v.first == "original"; });
    }
  }
  return out;
}

OwnLengths own_lengths(const Side& side, std::size_t spec, const model::Request& request, const model::TableLoader& tables) {
  model::Request other = request;
  other.length = 2 * request.length;
  const Entry entry = resolve(side.specs[spec], request, tables);
  const Pos trained = entry.scheme->train_length();
  OwnLengths out;
  // A length of its own does not follow the one asked for.
  if (resolve(side.specs[spec], other, tables).scheme->train_length() == trained) {
    out.trained = trained;
    const double reach = static_cast<double>(trained) * std::max(1.0, number_of(*entry.scheme, "factor").value_or(1));
    out.longest = static_cast<Pos>(std::min(reach, most_positions));
  }
  if (const auto* layer = side.layer(spec); layer && layer->positions)
    out.longest = std::max(out.longest.value_or(0), *layer->positions);
  return out;
}

}  // namespace posenc::app
