#include "sources/loader.hpp"

#include "core/error.hpp"
#include "sources/csv.hpp"
#include "sources/gguf.hpp"
#include "sources/npy.hpp"
#include "sources/npz.hpp"
#include "sources/safetensors.hpp"

#include <fmt/format.h>
#include <algorithm>

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
    {".npz", open_npz},
    {".gguf", open_gguf},
    {".safetensors", open_safetensors},
    {".safetensors.index.json", open_sharded},
};

const Format* format_of(std::string_view path) {
  const auto* const at =
      std::find_if(std::begin(formats), std::end(formats), [&](const Format& f) { return path.ends_with(f.suffix); });
  return at == std::end(formats) ? nullptr : at;
}

std::string path_of(std::string_view file) { return std::string(file.substr(0, file.rfind('#'))); }

}  // namespace

bool is_table(std::string_view file) { return format_of(file) || format_of(path_of(file)); }

std::string table_suffixes() {
  std::string out;
  for (const Format& f : formats) out += fmt::format("{}{}", out.empty() ? "" : ", ", f.suffix);
  return out;
}

Opened FileLoader::open(const std::string& file) const {
  // FILE#NAME first: the array's own name may end as a file's does.
  const std::string path = path_of(file);
  if (const Format* f = format_of(path)) return f->open(path, path.size() < file.size() ? file.substr(path.size() + 1) : "");
  if (const Format* f = format_of(file)) return f->open(file, {});
  throw BadData(fmt::format("{}: unknown table format: must end in {}", file, table_suffixes()));
}

}  // namespace posenc::sources
