#include "core/error.hpp"
#include "core/field.hpp"
#include "sources/json.hpp"
#include "sources/safetensors.hpp"

#include <fmt/format.h>
#include <filesystem>

namespace posenc::sources {
namespace {

constexpr std::size_t largest_index = std::size_t{64} << 20;

const Json& weight_map(const JsonDocument& index, const std::string& path) {
  const Json* map = index.root.find("weight_map");
  if (!map || map->kind != Json::Kind::object) throw BadData(fmt::format("{}: weight_map: must be an object", path));
  if (!index.repeated.empty()) throw BadData(fmt::format("{}: {} is given twice", path, index.repeated.front()));
  return *map;
}

}  // namespace

std::shared_ptr<const model::Tensor> open_sharded(const std::string& index, const std::string& name) {
  const std::string shard = shard_of(read_text(index, largest_index), index, name);
  return open_safetensors((std::filesystem::path(index).parent_path() / shard).string(), name);
}

std::string shard_of(std::string_view text, const std::string& index, const std::string& name) {
  const JsonDocument document = parse_json(text, index);
  const Json& map = weight_map(document, index);
  if (name.empty()) throw BadData(fmt::format("{}: lists {} arrays: name one as {}#NAME", index, map.members.size(), index));
  const Json* shard = map.find(name);
  if (!shard) {
    std::vector<std::string_view> names;
    for (const auto& [key, value] : map.members) names.push_back(key);
    const std::string_view near = nearest(name, names);
    throw BadData(
        fmt::format("{}: lists no array {}{}", index, name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
  }
  const std::filesystem::path file = shard->kind == Json::Kind::text ? shard->text : "";
  if (file.empty() || file.has_parent_path() || file == ".." || file == ".")
    throw BadData(
        fmt::format("{}: weight_map.{} = {}: must be the name of a file beside the index", index, name, json_brief(*shard)));
  return file;
}

}  // namespace posenc::sources
