#include "sources/safetensors.hpp"

#include "core/error.hpp"
#include "core/field.hpp"
#include "sources/array.hpp"
#include "sources/json.hpp"
#include "sources/little_endian.hpp"

#include <fmt/format.h>
#include <algorithm>

namespace posenc::sources {
namespace {

constexpr std::uint64_t longest_header = 100'000'000;  // the format's own bound

struct Code {
  std::string_view word;
  Element type;
};
constexpr Code codes[] = {{"F16", Element::f16}, {"BF16", Element::bf16}, {"F32", Element::f32}, {"F64", Element::f64},
                          {"I8", Element::i8},   {"I16", Element::i16},   {"I32", Element::i32}, {"I64", Element::i64},
                          {"U8", Element::u8},   {"U16", Element::u16},   {"U32", Element::u32}, {"U64", Element::u64}};

std::uint64_t header_length(std::string_view text, const std::string& path) {
  const auto n = little_endian(text, 0, 8);
  if (!n || *n > text.size() - 8) throw BadData(fmt::format("{}: ends within its header", path));
  if (*n > longest_header) throw BadData(fmt::format("{}: header length = {}: must be <= {}", path, *n, longest_header));
  return *n;
}

/// The entry of that name, or the only one.
const std::pair<std::string, Json>& entry(const Json& header, const std::string& path, const std::string& name) {
  std::vector<std::string_view> names;
  for (const auto& [key, value] : header.members)
    if (key != "__metadata__") names.push_back(key);
  const std::string_view wanted = name.empty() && names.size() == 1 ? names[0] : std::string_view(name);
  for (const auto& member : header.members)
    if (member.first == wanted && member.first != "__metadata__") return member;
  if (name.empty()) throw BadData(fmt::format("{}: holds {} arrays: name one as {}#NAME", path, names.size(), path));
  const std::string_view near = nearest(name, names);
  throw BadData(fmt::format("{}: holds no array {}{}", path, name, near.empty() ? "" : fmt::format("; did you mean {}?", near)));
}

/// Begin and end of an array's bytes.
using Span = std::pair<model::Pos, model::Pos>;

/// The list of non-negative integers under that key.
std::vector<model::Pos> integers(const Json& array, std::string_view key, const std::string& name) {
  std::vector<model::Pos> out;
  const Json* list = array.find(key);
  const bool fits = list && list->kind == Json::Kind::array && list->items.size() <= 64 &&
                    std::all_of(list->items.begin(), list->items.end(),
                                [](const Json& v) { return v.kind == Json::Kind::integer && v.integer >= 0; });
  if (!fits) throw BadData(fmt::format("{}: {}: must be a list of integers >= 0", name, key));
  for (const Json& v : list->items) out.push_back(v.integer);
  return out;
}

/// The arrays must follow one another from the first byte of the data to the last: the format has neither holes nor overlaps.
void check_spans(const Json& header, std::size_t data, const std::string& path) {
  std::vector<std::pair<Span, std::string_view>> all;
  for (const auto& [name, array] : header.members) {
    if (name == "__metadata__") continue;
    const std::string full = path + "#" + name;
    const auto span = integers(array, "data_offsets", full);
    if (span.size() != 2 || span[0] > span[1] || static_cast<std::size_t>(span[1]) > data)
      throw BadData(
          fmt::format("{}: data_offsets = [{}]: must span the array's bytes within the file", full, fmt::join(span, ", ")));
    all.push_back({{span[0], span[1]}, name});
  }
  std::sort(all.begin(), all.end());
  model::Pos end = 0;
  for (const auto& [span, name] : all) {
    if (span.first != end)
      throw BadData(fmt::format("{}#{}: data_offsets = [{}, {}]: must begin at {}, where the array before ends", path, name,
                                span.first, span.second, end));
    end = span.second;
  }
  if (static_cast<std::size_t>(end) != data)
    throw BadData(fmt::format("{}: has {} bytes of data, its arrays {}", path, data, end));
}

Element type_of(const Json& array, const std::string& name) {
  const Json* dtype = array.find("dtype");
  const auto* const code = std::find_if(std::begin(codes), std::end(codes), [&](const Code& c) {
    return dtype && dtype->kind == Json::Kind::text && dtype->text == c.word;
  });
  if (code == std::end(codes))
    throw BadData(
        fmt::format("{}: dtype = {}: must be F16, BF16, F32, F64 or an integer", name, dtype ? json_brief(*dtype) : "none"));
  return code->type;
}

}  // namespace

std::shared_ptr<const model::Tensor> open_safetensors(const std::string& path, const std::string& name) {
  return read_safetensors(map_file(path), path, name);
}

std::shared_ptr<const model::Tensor> read_safetensors(Bytes file, const std::string& path, const std::string& name) {
  const std::string_view text = file.text();
  const std::uint64_t length = header_length(text, path);
  const JsonDocument header = parse_json(text.substr(8, length), path);
  if (header.root.kind != Json::Kind::object) throw BadData(fmt::format("{}: header: must be an object", path));
  if (!header.repeated.empty()) throw BadData(fmt::format("{}: header: {} is given twice", path, header.repeated.front()));
  const std::size_t data = text.size() - 8 - length;
  const auto& [found, array] = entry(header.root, path, name);
  const std::string full = path + "#" + found;
  ArrayFacts facts{.type = type_of(array, full), .shape = integers(array, "shape", full)};
  const auto span = integers(array, "data_offsets", full);
  const auto bytes = array_bytes(facts);
  if (span.size() != 2 || span[0] > span[1] || static_cast<std::size_t>(span[1]) > data ||
      (bytes && static_cast<std::size_t>(span[1] - span[0]) != *bytes))
    throw BadData(
        fmt::format("{}: data_offsets = [{}]: must span the array's bytes within the file", full, fmt::join(span, ", ")));
  facts.offset = 8 + length + static_cast<std::size_t>(span[0]);
  auto out = array_in(std::move(file), std::move(facts), full);
  check_spans(header.root, data, path);
  return out;
}

}  // namespace posenc::sources
