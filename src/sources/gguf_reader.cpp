#include "sources/gguf_reader.hpp"

#include "core/error.hpp"
#include "sources/little_endian.hpp"
#include "sources/model_report.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <bit>
#include <cmath>

namespace posenc::sources {
namespace {

constexpr std::uint64_t longest_list = 4096, most_kept = std::uint64_t{1} << 20, longest_name = 65535;
constexpr std::size_t longest_text = 256, deepest = 16;

using Value = GgufValue;
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

}  // namespace

std::uint64_t GgufReader::number(std::size_t width) {
  const auto v = little_endian(text_, at_, width);
  if (!v) refuse("ends within its header");
  at_ += width;
  return *v;
}

std::string_view GgufReader::text() {
  const std::uint64_t size = number(8);
  if (size > left()) refuse("ends within its header");
  at_ += static_cast<std::size_t>(size);
  return text_.substr(at_ - static_cast<std::size_t>(size), static_cast<std::size_t>(size));
}

std::string GgufReader::name() {
  const std::string_view out = text();
  const bool plain = std::all_of(out.begin(), out.end(), [](char c) { return c > 32 && c < 127; });
  if (out.empty() || out.size() > longest_name || !plain)
    refuse("holds a name that is empty, too long or not of printable ASCII");
  return std::string(out);
}

std::uint64_t GgufReader::count(std::uint64_t least, std::string_view what) {
  const std::uint64_t n = number(8);
  if (n > left() / least) refuse(fmt::format("{} = {}: more than the file can hold", what, n));
  return n;
}

Value GgufReader::type(std::string_view key) {
  const std::uint64_t t = number(4);
  if (t >= std::size(widths)) refuse(fmt::format("{}: type = {}: must be 0 to {}", key, t, std::size(widths) - 1));
  return static_cast<Value>(t);
}

Json GgufReader::value(std::string_view key, Value type, std::size_t depth) {
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

Json GgufReader::scalar(std::string_view key, Value type, std::uint64_t raw) const {
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

Json GgufReader::list(std::string_view key, std::size_t depth) {
  if (depth == deepest) refuse(fmt::format("{}: must not be nested more than {} levels deep", key, deepest));
  const Value type = this->type(key);
  const std::size_t width = widths[static_cast<std::size_t>(type)];
  const std::uint64_t n = count(width > 0 ? width : type == Value::text ? 8 : 12, key);
  const Json summary = described(fmt::format("{} x {}", n, words[static_cast<std::size_t>(type)]));
  if (width > 0 && (n > longest_list || (kept_ += n) > most_kept)) return at_ += static_cast<std::size_t>(n) * width, summary;
  Json out{.kind = Json::Kind::array};
  for (std::uint64_t k = 0; k < n; ++k) {
    if (type == Value::text)
      text();
    else if (Json item = value(key, type, depth + 1); width > 0)
      out.items.push_back(std::move(item));
  }
  return width > 0 ? out : summary;
}

void GgufReader::refuse(std::string_view rule) const { throw BadData(fmt::format("{}: {}", path_, rule)); }

}  // namespace posenc::sources
