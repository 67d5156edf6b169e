#include "sources/json.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace posenc::sources {
namespace {

constexpr std::size_t deepest = 64, most_repeated = 64;
constexpr std::size_t most_values = std::size_t{1} << 22;  // half a gigabyte of them
constexpr std::size_t longest_message = 240;
constexpr int out_of_range = 406;  // the library's number for a number beyond float64

/// One line of printable ASCII of bounded length.
std::string one_line(std::string_view words) {
  std::string out(words.substr(0, longest_message));
  if (words.size() > longest_message) out += "...";
  for (char& c : out)
    if (c < 32 || c > 126) c = '?';
  return out;
}

/// The library's words without its prefix.
std::string_view plain(std::string_view words) {
  const auto end = words.find("] ");
  return end == std::string_view::npos ? words : words.substr(end + 2);
}

/// What stands around the place where the reader stopped, up to the marks and spaces of JSON on both sides.
std::string_view word_at(std::string_view text, std::size_t place) {
  constexpr std::string_view ends = " \t\r\n,:[]{}\"";
  std::size_t first = std::min(place, text.size()), last = first;
  while (first > 0 && ends.find(text[first - 1]) == std::string_view::npos) --first;
  while (last < text.size() && ends.find(text[last]) == std::string_view::npos) ++last;
  return text.substr(first, last - first);
}

/// Whether the word was meant as a number, in a spelling that JSON has not.
bool is_misspelt(std::string_view word) {
  if (nlohmann::json::accept(word)) return false;
  if (word.starts_with('-') || word.starts_with('+')) word.remove_prefix(1);
  if (word.empty()) return false;
  if ((word[0] >= '0' && word[0] <= '9') || word[0] == '.') return true;
  std::string low(word.substr(0, 9));
  for (char& c : low)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return low == "nan" || low == "inf" || low == "infinity";
}

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(JsonDocument& document, std::string_view text, std::string_view file) : document_(document), text_(text), file_(file) {}

  bool null() override { return put({}); }
  bool boolean(bool v) override { return put({.kind = Json::Kind::boolean, .boolean = v}); }
  bool number_integer(number_integer_t v) override {
    return put({.kind = Json::Kind::integer, .integer = v, .number = static_cast<double>(v)});
  }
  bool number_unsigned(number_unsigned_t v) override {
    if (v <= static_cast<number_unsigned_t>(INT64_MAX)) return number_integer(static_cast<number_integer_t>(v));
    return put({.kind = Json::Kind::number, .number = static_cast<double>(v), .text = std::to_string(v)});
  }
  bool number_float(number_float_t v, const string_t& token) override {
    return put({.kind = Json::Kind::number, .number = v, .text = token});
  }
  bool string(string_t& v) override { return check(v), put({.kind = Json::Kind::text, .text = std::move(v)}); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::Kind::object); }
  bool start_array(std::size_t) override { return open(Json::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    check(name);
    Open& now = open_.back();
    now.name = name;
    const auto [place, fresh] = now.places.emplace(name, now.value.members.size());
    now.place = place->second;
    if (fresh)
      now.value.members.emplace_back(std::move(name), Json{});
    else if (document_.repeated.size() < most_repeated)
      document_.repeated.push_back(path());
    return true;
  }
  bool parse_error(std::size_t read, const std::string& token, const nlohmann::detail::exception& e) override {
    if (e.id == out_of_range) refuse_number(token, "must be a number that float64 holds, below 1.8e308");
    if (const auto word = word_at(text_, read > 0 ? read - 1 : 0); is_misspelt(word))
      refuse_number(word, "must be a number as JSON has it: no NaN, Infinity, hexadecimal digits, leading + or 0");
    throw BadData(fmt::format("{}: {}", file_, one_line(plain(e.what()))));
  }

 private:
  struct Open {
    Json value;
    std::string name{};     // of the member being read
    std::size_t place = 0;  // of that member
    std::unordered_map<std::string, std::size_t> places{};
  };

  [[noreturn]] void refuse_number(std::string_view token, std::string_view rule) const {
    const std::string at = path();
    throw BadData(
        fmt::format("{}: {}: {}", file_, one_line(fmt::format("{}{}{}", at, at.empty() ? "" : " = ", brief(token))), rule));
  }
  void check(std::string_view words) const {
    if (words.find('\0') != std::string_view::npos)
      throw BadData(fmt::format("{}: {}: must not hold U+0000", file_, one_line(json_string(brief(words)))));
  }
  bool open(Json::Kind kind) {
    if (open_.size() == deepest) throw BadData(fmt::format("{}: must not be nested more than {} levels deep", file_, deepest));
    open_.push_back({.value = {.kind = kind}});
    return true;
  }
  bool close() {
    Json done = std::move(open_.back().value);
    open_.pop_back();
    return put(std::move(done));
  }
  bool put(Json value) {
    if (++values_ > most_values) throw BadData(fmt::format("{}: must hold at most {} values", file_, most_values));
    if (open_.empty())
      document_.root = std::move(value);
    else if (Open& now = open_.back(); now.value.kind == Json::Kind::array)
      now.value.items.push_back(std::move(value));
    else
      now.value.members[now.place].second = std::move(value);
    return true;
  }
  std::string path() const {
    std::string out;
    for (const Open& o : open_)
      if (o.value.kind == Json::Kind::object) out += (out.empty() ? "" : ".") + brief(o.name);
    return out;
  }

  JsonDocument& document_;
  std::string_view text_, file_;
  std::size_t values_ = 0;
  std::vector<Open> open_;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  const auto at = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == name; });
  return at == members.end() ? nullptr : &at->second;
}

JsonDocument parse_json(std::string_view text, std::string_view file) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) throw BadData(fmt::format("{}: is empty: must be JSON", file));
  for (const std::string_view mark : {"\xef\xbb\xbf", "\xff\xfe", "\xfe\xff"})
    if (text.starts_with(mark)) throw BadData(fmt::format("{}: begins with a byte order mark: must be UTF-8 without one", file));
  // Where nlohmann::json would take the text to end.
  if (const auto zero = text.find('\0'); zero != std::string_view::npos)
    throw BadData(fmt::format("{}: byte {} is 0: must be text", file, zero));
  JsonDocument document;
  Builder builder(document, text, file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return document;
}

std::string json_string(std::string_view words) {
  return nlohmann::json(std::string(words)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string json_brief(const Json& value) { return brief(json_text(value)); }

std::string brief(std::string_view words) {
  constexpr std::size_t longest = 120;
  if (words.size() <= longest) return std::string(words);
  std::size_t size = longest;
  while (size > 0 && (words[size] & 0xc0) == 0x80) --size;
  return std::string(words.substr(0, size)) + "...";
}

std::string json_text(const Json& v) {
  switch (v.kind) {
    case Json::Kind::null:
      return "null";
    case Json::Kind::boolean:
      return v.boolean ? "true" : "false";
    case Json::Kind::integer:
      return std::to_string(v.integer);
    case Json::Kind::number:
      return v.text;
    case Json::Kind::text:
      return json_string(v.text);
    case Json::Kind::array: {
      std::string out;
      for (const Json& item : v.items) out += (out.empty() ? "" : ", ") + json_text(item);
      return "[" + out + "]";
    }
    case Json::Kind::object:
      break;
  }
  std::string out;
  for (const auto& [name, value] : v.members)
    out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", json_string(name), json_text(value));
  return "{" + out + "}";
}

}  // namespace posenc::sources
