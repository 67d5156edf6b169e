#include "sources/gguf.hpp"

#include "core/error.hpp"
#include "sources/little_endian.hpp"
#include "sources/model_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace posenc::sources {
namespace {

using model::Pos;

constexpr std::string_view magic = "GGUF";
constexpr std::uint64_t longest_list = 4096, longest_name = 65535;
constexpr std::size_t longest_text = 256, deepest = 16, most_dims = 4;
constexpr std::uint64_t least_pair = 8 + 4 + 1, least_tensor = 8 + 4 + 4 + 8;  // bytes a key with its value, a tensor's entry

enum class Value : std::uint32_t { u8, i8, u16, i16, u32, i32, f32, boolean, text, list, u64, i64, f64 };
constexpr std::size_t widths[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
constexpr std::string_view words[] = {"u8",   "i8",     "u16",   "i16", "u32", "i32", "f32",
                                      "bool", "string", "array", "u64", "i64", "f64"};

Json described(std::string words) { return {.kind = Json::Kind::text, .text = std::move(words)}; }

Json real(double v) {
  if (!std::isfinite(v)) return described(std::isnan(v) ? "nan" : v > 0 ? "inf" : "-inf");
  return {.kind = Json::Kind::number, .number = v, .text = plain_number(v)};
}
Json whole(std::int64_t v) { return {.kind = Json::Kind::integer, .integer = v, .number = static_cast<double>(v)}; }

template <class Narrow>
std::int64_t narrow(std::uint64_t raw) {
  return static_cast<Narrow>(raw);
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& path) : text_(text), path_(path) {}

  std::uint64_t number(std::size_t width) {
    const auto v = little_endian(text_, at_, width);
    if (!v) refuse("ends within its header");
    at_ += width;
    return *v;
  }
  std::string_view text() {
    const std::uint64_t size = number(8);
    if (size > left()) refuse("ends within its header");
    at_ += static_cast<std::size_t>(size);
    return text_.substr(at_ - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
  }
  /// The name of a key or tensor.
  std::string name() {
    const std::string_view out = text();
    const bool plain = std::all_of(out.begin(), out.end(), [](char c) { return c > 32 && c < 127; });
    if (out.empty() || out.size() > longest_name || !plain)
      refuse("holds a name that is empty, too long or not of printable ASCII");
    return std::string(out);
  }
  /// A number of things of at least `least` bytes each.
  std::uint64_t count(std::uint64_t least, std::string_view what) {
    const std::uint64_t n = number(8);
    if (n > left() / least) refuse(fmt::format("{} = {}: more than the file can hold", what, n));
    return n;
  }
  Value type(std::string_view key) {
    const std::uint64_t t = number(4);
    if (t >= std::size(widths)) refuse(fmt::format("{}: type = {}: must be 0 to {}", key, t, std::size(widths) - 1));
    return static_cast<Value>(t);
  }
  Json value(std::string_view key, Value type, std::size_t depth = 0) {
    switch (type) {
      case Value::text: {
        const std::string_view v = text();
        return described(v.size() <= longest_text ? std::string(v) : fmt::format("{}... ({} bytes)", v.substr(0, 64), v.size()));
      }
      case Value::list:
        return list(key, depth);
      default:
        return scalar(key, type, number(widths[static_cast<std::size_t>(type)]));
    }
  }
  std::size_t at() const { return at_; }
  std::uint64_t left() const { return text_.size() - at_; }
  [[noreturn]] void refuse(std::string_view rule) const { throw BadData(fmt::format("{}: {}", path_, rule)); }

 private:
  Json scalar(std::string_view key, Value type, std::uint64_t raw) const {
    switch (type) {
      case Value::i8:
        return whole(narrow<std::int8_t>(raw));
      case Value::i16:
        return whole(narrow<std::int16_t>(raw));
      case Value::i32:
        return whole(narrow<std::int32_t>(raw));
      case Value::f32:
        return real(std::bit_cast<float>(static_cast<std::uint32_t>(raw)));
      case Value::f64:
        return real(std::bit_cast<double>(raw));
      case Value::boolean:
        if (raw > 1) refuse(fmt::format("{} = {}: must be 0 or 1", key, raw));
        return {.kind = Json::Kind::boolean, .boolean = raw == 1};
      default:
        if (type == Value::u64 && raw > static_cast<std::uint64_t>(INT64_MAX))
          return {.kind = Json::Kind::number, .number = static_cast<double>(raw), .text = std::to_string(raw)};
        return whole(static_cast<std::int64_t>(raw));
    }
  }
  Json list(std::string_view key, std::size_t depth) {
    if (depth == deepest) refuse(fmt::format("{}: must not be nested more than {} levels deep", key, deepest));
    const Value type = this->type(key);
    const std::size_t width = widths[static_cast<std::size_t>(type)];
    const std::uint64_t n = count(width > 0 ? width : type == Value::text ? 8 : 12, key);
    const Json summary = described(fmt::format("{} x {}", n, words[static_cast<std::size_t>(type)]));
    if (width > 0 && n > longest_list) return at_ += static_cast<std::size_t>(n) * width, summary;
    Json out{.kind = Json::Kind::array};
    for (std::uint64_t k = 0; k < n; ++k) {
      if (type == Value::text)
        text();
      else if (Json item = value(key, type, depth + 1); width > 0)
        out.items.push_back(std::move(item));
    }
    return width > 0 ? out : summary;
  }

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
};

void check_head(Reader& in, std::string_view text) {
  if (text.substr(0, magic.size()) != magic) in.refuse("must begin as a GGUF file");
  in.number(4);
  const std::uint64_t version = in.number(4);
  if (version != 0 && (version & 0xffff) == 0) in.refuse("is a big-endian GGUF file: must be little-endian");
  if (version != 2 && version != 3) in.refuse(fmt::format("GGUF version = {}: must be 2 or 3", version));
}

GgufTensor tensor_entry(Reader& in) {
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

std::size_t alignment(const Json& metadata, const Reader& in) {
  const Json* given = metadata.find("general.alignment");
  if (!given) return 32;
  const std::int64_t n = given->kind == Json::Kind::integer ? given->integer : 0;
  if (n < 1 || n > (1 << 30) || !std::has_single_bit(static_cast<std::uint64_t>(n)))
    in.refuse(fmt::format("general.alignment = {}: must be a power of two up to 2^30", json_text(*given)));
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
  Reader in(text, path);
  check_head(in, text);
  const std::uint64_t tensors = in.count(least_tensor, "number of tensors"), pairs = in.count(least_pair, "number of keys");
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
