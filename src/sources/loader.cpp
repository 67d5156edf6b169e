#include "sources/loader.hpp"

#include "core/error.hpp"
#include "sources/csv.hpp"
#include "sources/npy.hpp"
#include "sources/safetensors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <filesystem>

namespace posenc::sources {
namespace {

using Opened = std::shared_ptr<const model::Tensor>;

/// A table format; `name` is empty for files that hold one array.
struct Format {
  std::string_view suffix;
  Opened (*open)(const std::string& path, const std::string& name);
};

Opened only(Opened (*open)(const std::string&), const std::string& path, const std::string& name) {
  if (!name.empty()) throw BadData(fmt::format("{}#{}: a file of this format holds one array, without a name", path, name));
  return open(path);
}

constexpr Format formats[] = {
    {".npy", [](const std::string& path, const std::string& name) { return only(open_npy, path, name); }},
    {".csv", [](const std::string& path, const std::string& name) { return only(open_csv, path, name); }},
    {".safetensors", open_safetensors},
};

const Format* format_of(std::string_view path) {
  const auto* const at =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return path.ends_with(f.suffix); });
  return at == std::end(formats) ? nullptr : at;
}

std::string path_of(std::string_view file) { return std::string(file.substr(0, file.rfind('#'))); }

}  // namespace

bool is_table(std::string_view file) { return format_of(file) || format_of(path_of(file)); }

std::string FileLoader::find(const std::string& path) const {
  std::error_code missing;
  if (path.find('/') != std::string::npos || std::filesystem::exists(path, missing)) return path;
  for (const std::string& folder : folders_)
    if (const std::string candidate = folder + "/" + path; std::filesystem::exists(candidate, missing)) return candidate;
  return path;
}

Opened FileLoader::open(const std::string& file) const {
  if (const Format* f = format_of(file)) return f->open(find(file), {});
  const std::string path = path_of(file);
  if (const Format* f = format_of(path)) return f->open(find(path), file.substr(path.size() + 1));
  std::string known;
  for (const Format& f : formats) known += fmt::format("{}{}", known.empty() ? "" : ", ", f.suffix);
  throw BadData(fmt::format("{}: unknown table format: must end in {}", file, known));
}

}  // namespace posenc::sources
