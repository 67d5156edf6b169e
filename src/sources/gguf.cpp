#include "sources/gguf.hpp"

#include "core/error.hpp"
#include "sources/gguf_reader.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <set>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::string_view magic = "GGUF";
constexpr std::size_t most_dims = 4;
constexpr std::uint64_t most_tensors = 1 << 20, most_pairs = 1 << 16;          // far beyond any model
constexpr std::uint64_t least_pair = 8 + 4 + 1, least_tensor = 8 + 4 + 4 + 8;  // bytes a key with its value, a tensor's entry

void check_head(GgufReader& in, std::string_view text) {
  if (text.substr(0, magic.size()) != magic) in.refuse("must begin as a GGUF file");
  in.number(4);
  const std::uint64_t version = in.number(4);
  if (version != 0 && (version & 0xffff) == 0) in.refuse("is a big-endian GGUF file: must be little-endian");
  if (version != 2 && version != 3) in.refuse(fmt::format("GGUF version = {}: must be 2 or 3", version));
}

GgufTensor tensor_entry(GgufReader& in) {
  GgufTensor t{.name = in.name()};
  const std::uint64_t dims = in.number(4);
  if (dims > most_dims) in.refuse(fmt::format("{}: has {} dimensions: must have at most {}", t.name, dims, most_dims));
  Pos elements = 1;
  for (std::uint64_t k = 0; k < dims; ++k) {
    const auto n = static_cast<Pos>(in.number(8));
    if (n < 1 || __builtin_mul_overflow(elements, n, &elements))
      in.refuse(fmt::format("{}: dimensions must be positive, with fewer than 2^63 elements", t.name));
    t.shape.push_back(n);
  }
  std::reverse(t.shape.begin(), t.shape.end());
  t.type = static_cast<std::uint32_t>(in.number(4));
  t.offset = in.number(8);
  return t;
}

std::size_t alignment(const Json& metadata, const GgufReader& in) {
  const Json* given = metadata.find("general.alignment");
  if (!given) return 32;
  const std::int64_t n = given->kind == Json::Kind::integer ? given->integer : 0;
  if (n < 1 || n > (1 << 30) || !std::has_single_bit(static_cast<std::uint64_t>(n)))
    in.refuse(fmt::format("general.alignment = {}: must be a power of two up to 2^30", json_brief(*given)));
  return static_cast<std::size_t>(n);
}

}  // namespace

const GgufTensor* GgufFile::find(std::string_view name) const {
  const auto at = std::find_if(tensors.begin(), tensors.end(), [&](const GgufTensor& t) { return t.name == name; });
  return at == tensors.end() ? nullptr : &*at;
}

GgufFile read_gguf(Bytes bytes, const std::string& path) {
  GgufFile out{.path = path, .bytes = std::move(bytes)};
  const std::string_view text = out.bytes.text();
  GgufReader in(text, path);
  check_head(in, text);
  const std::uint64_t tensors = in.count(least_tensor, "number of tensors"), pairs = in.count(least_pair, "number of keys");
  if (tensors > most_tensors) in.refuse(fmt::format("number of tensors = {}: must be <= {}", tensors, most_tensors));
  if (pairs > most_pairs) in.refuse(fmt::format("number of keys = {}: must be <= {}", pairs, most_pairs));
  std::set<std::string, std::less<>> seen;
  for (std::uint64_t k = 0; k < pairs; ++k) {
    std::string key = in.name();
    if (!seen.insert(key).second) in.refuse(fmt::format("{}: given twice", key));
    Json value = in.value(key, in.type(key));
    out.metadata.members.emplace_back(std::move(key), std::move(value));
  }
  const std::size_t unit = alignment(out.metadata, in);
  seen.clear();
  for (std::uint64_t k = 0; k < tensors; ++k) {
    out.tensors.push_back(tensor_entry(in));
    if (!seen.insert(out.tensors.back().name).second) in.refuse(fmt::format("{}: given twice", out.tensors.back().name));
  }
  out.data = (in.at() + unit - 1) / unit * unit;
  for (const GgufTensor& t : out.tensors) {
    if (t.offset % unit != 0) in.refuse(fmt::format("{}: offset = {}: must be a multiple of {}", t.name, t.offset, unit));
    if (out.data >= text.size() || t.offset >= text.size() - out.data)
      in.refuse(fmt::format("{}: its data lies beyond the end of the file", t.name));
  }
  return out;
}

}  // namespace posenc::sources
