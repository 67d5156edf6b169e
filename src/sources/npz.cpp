#include "sources/npz.hpp"

#include "core/error.hpp"
#include "core/field.hpp"
#include "sources/npy.hpp"
#include "sources/zip.hpp"

#include <fmt/format.h>

namespace posenc::sources {
namespace {

constexpr std::string_view suffix = ".npy";

/// The array's name; empty for a member that is none.
std::string_view array_name(const ZipMember& m) {
  const std::string_view name = m.name;
  return name.ends_with(suffix) ? name.substr(0, name.size() - suffix.size()) : std::string_view{};
}

}  // namespace

std::shared_ptr<const model::Tensor> open_npz(const std::string& path, const std::string& name) {
  return read_npz(map_file(path), path, name);
}

std::shared_ptr<const model::Tensor> read_npz(const Bytes& file, const std::string& path, const std::string& name) {
  const std::vector<ZipMember> members = zip_members(file, path);
  std::vector<std::string_view> names;
  for (const ZipMember& m : members)
    if (!array_name(m).empty()) names.push_back(array_name(m));
  if (name.empty() && names.size() != 1)
    throw BadData(fmt::format("{}: holds {} arrays: name one as {}#NAME", path, names.size(), path));
  const std::string_view wanted = name.empty() ? names[0] : std::string_view(name);
  for (const ZipMember& m : members)
    if (!array_name(m).empty() && (array_name(m) == wanted || m.name == wanted))
      return read_npy(zip_bytes(file, m, path), fmt::format("{}#{}", path, array_name(m)));
  const std::string_view near = nearest(wanted, names);
  throw BadData(
      fmt::format("{}: holds no array {}{}", path, wanted, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

}  // namespace posenc::sources
