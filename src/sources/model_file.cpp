#include "sources/model_file.hpp"

#include "core/error.hpp"
#include "sources/config.hpp"
#include "sources/gguf_model.hpp"
#include "sources/listed.hpp"
#include "sources/loader.hpp"
#include "sources/mapped_file.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <span>

namespace posenc::sources {
namespace {

/// Suffixes of files, readable here or not, so that a file's name is never taken for a scheme's.
constexpr std::string_view suffixes[] = {".json", ".gguf", ".safetensors", ".npy", ".npz", ".csv", ".h5", ".hdf5"};
/// Tables that the program opens with other means than this room's.
constexpr std::string_view datasets[] = {".h5", ".hdf5"};

constexpr std::string_view gguf = ".gguf";  // a model; with #NAME a table

std::string path_of(std::string_view word) { return std::string(word.substr(0, word.rfind('#'))); }

bool has_suffix(std::string_view word, std::span<const std::string_view> list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view suffix) { return word.ends_with(suffix); });
}

bool is_dataset(std::string_view file) { return has_suffix(file, datasets) || has_suffix(path_of(file), datasets); }

std::string label_from(std::string out) {
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("_.+-").find(c) == std::string_view::npos) c = '_';
  const bool starts_well = !out.empty() && (std::isalnum(static_cast<unsigned char>(out[0])) || out[0] == '_');
  return starts_well ? out : "_" + out;
}

std::string label_of(const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  std::string out = path.stem();
  if (path.filename() == "config.json" && path.has_parent_path()) {
    std::error_code ignored;
    out = std::filesystem::weakly_canonical(path.parent_path(), ignored).filename();
  }
  return label_from(out);
}

/// Of a table: the file's name and the array's.
std::string table_label(const std::string& file) {
  const std::string path = path_of(file);
  std::string out = std::filesystem::path(path).stem();
  if (path.size() == file.size()) return label_from(out);
  const auto name = file.find_first_not_of('/', path.size() + 1);
  return label_from(name == std::string::npos ? out : out + "." + file.substr(name));
}

/// Only a config.json is read by several tools.
void refuse_dialect(const std::string& file, const std::optional<Dialect>& as, std::string_view kind) {
  if (as) throw UsageError(fmt::format("{}: as = {}: must be left out: {}", file, word_of(*as), kind));
}

constexpr std::string_view as_gguf = "a GGUF file is read as llama.cpp reads it",
                           as_listed = "encodings written out are no config.json", as_table = "a table is no config.json";

}  // namespace

bool is_file_word(std::string_view word) {
  return word.find('/') != std::string_view::npos || has_suffix(word, suffixes) || has_suffix(path_of(word), suffixes);
}

ModelReport read_model_text(std::string_view text, const std::string& file, const std::string& folder,
                            std::optional<Dialect> as) {
  const JsonDocument document = parse_json(text, file);
  if (!lists_encodings(document)) return read_config(document, file, as.value_or(Dialect::hf));
  refuse_dialect(file, as, as_listed);
  return read_listed(document, folder);
}

ModelReport read_model(const std::string& file, const std::string& folder, std::optional<Dialect> as) {
  if (file.ends_with(gguf)) {
    refuse_dialect(file, as, as_gguf);
    ModelReport report = read_gguf_model(read_gguf(map_file(file), file));
    report.dialect = word_of(Dialect::llama_cpp);
    return report;
  }
  if (!std::filesystem::exists(file)) map_file(file);  // says that there is none
  if (!file.ends_with(".json")) throw BadData(fmt::format("{}: unknown kind of file", file));
  const std::string own = std::filesystem::path(file).parent_path();
  return read_model_text(read_text(file, largest_config), file, folder.empty() ? own : folder, as);
}

std::vector<model::EncodingSpec> read_encodings(const std::string& file, const std::string& label, const std::string& folder,
                                                std::optional<Dialect> as) {
  if (!file.ends_with(gguf) && (is_table(file) || is_dataset(file))) {
    refuse_dialect(file, as, as_table);
    return {{.scheme = "learned", .label = label.empty() ? table_label(file) : label, .values = {{"table", file}}}};
  }
  const ModelReport report = read_model(file, folder, as);
  if (!report.errors.empty()) throw BadData(fmt::format("{}: {}", file, report.errors.front()));
  const std::string stem = label.empty() ? label_of(file) : label;
  std::vector<model::EncodingSpec> out;
  for (const LayerReport& layer : report.layers) {
    if (layer.encoding.scheme.empty()) continue;
    out.push_back(layer.encoding);
    out.back().label = stem + (layer.name == "all" ? "" : "." + layer.name);
  }
  if (out.empty()) throw BadData(fmt::format("{}: model_type {}: has no attention", file, report.model_type));
  return out;
}

}  // namespace posenc::sources
