#include "sources/model_file.hpp"

#include "core/error.hpp"
#include "sources/config.hpp"
#include "sources/loader.hpp"

#include <fmt/format.h>
#include <cctype>
#include <filesystem>

namespace posenc::sources {
namespace {

/// Suffixes of files, readable here or not, so that a file's name is never taken for a scheme's.
constexpr std::string_view suffixes[] = {".json", ".gguf", ".safetensors", ".npy", ".npz", ".csv", ".h5"};

std::string path_of(std::string_view word) { return std::string(word.substr(0, word.rfind('#'))); }

bool has_suffix(std::string_view word) {
  for (const std::string_view suffix : suffixes)
    if (word.ends_with(suffix)) return true;
  return false;
}

std::string label_of(const std::string& file) {
  const std::filesystem::path path = std::filesystem::path(file).lexically_normal();
  std::string out = path.stem();
  if (path.filename() == "config.json" && path.has_parent_path()) {
    std::error_code ignored;
    out = std::filesystem::weakly_canonical(path.parent_path(), ignored).filename();
  }
  for (char& c : out)
    if (!std::isalnum(static_cast<unsigned char>(c)) && std::string_view("_.+-").find(c) == std::string_view::npos) c = '_';
  const bool starts_well = !out.empty() && (std::isalnum(static_cast<unsigned char>(out[0])) || out[0] == '_');
  return starts_well ? out : "_" + out;
}

std::vector<model::EncodingSpec> of_config(const std::string& file) {
  const ModelReport report = read_config_file(file);
  if (!report.errors.empty()) throw BadData(fmt::format("{}: {}", file, report.errors.front()));
  std::vector<model::EncodingSpec> out;
  for (const LayerReport& layer : report.layers) {
    if (layer.encoding.scheme.empty()) continue;
    out.push_back(layer.encoding);
    out.back().label = label_of(file) + (layer.name == "all" ? "" : "." + layer.name);
  }
  if (out.empty()) throw BadData(fmt::format("{}: model_type {}: has no attention", file, report.model_type));
  return out;
}

}  // namespace

bool is_file_word(std::string_view word) {
  return word.find('/') != std::string_view::npos || has_suffix(word) || has_suffix(path_of(word));
}

std::vector<model::EncodingSpec> read_encodings(const std::string& file) {
  if (file.ends_with(".json")) return of_config(file);
  if (!is_table(file)) throw BadData(fmt::format("{}: unknown kind of file", file));
  return {{.scheme = "learned", .label = label_of(path_of(file)), .values = {{"table", file}}}};
}

}  // namespace posenc::sources
