#include "sources/json.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_map>

namespace posenc::sources {
namespace {

constexpr std::size_t deepest = 64;

/// The library's words without its prefix, on one line of printable ASCII.
std::string one_line(std::string_view words) {
  if (const auto end = words.find("] "); end != std::string_view::npos) words.remove_prefix(end + 2);
  std::string out(words);
  for (char& c : out)
    if (c < 32 || c > 126) c = '?';
  return out;
}

class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(JsonDocument& document, std::string_view file) : document_(document), file_(file) {}

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
  bool string(string_t& v) override { return put({.kind = Json::Kind::text, .text = std::move(v)}); }
  bool binary(binary_t&) override { return false; }

  bool start_object(std::size_t) override { return open(Json::Kind::object); }
  bool start_array(std::size_t) override { return open(Json::Kind::array); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(string_t& name) override {
    Open& now = open_.back();
    now.name = name;
    const auto [place, fresh] = now.places.emplace(name, now.value.members.size());
    now.place = place->second;
    if (fresh)
      now.value.members.emplace_back(std::move(name), Json{});
    else
      document_.repeated.push_back(path());
    return true;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception& e) override {
    throw BadData(fmt::format("{}: {}", file_, one_line(e.what())));
  }

 private:
  struct Open {
    Json value;
    std::string name{};     // of the member being read
    std::size_t place = 0;  // of that member
    std::unordered_map<std::string, std::size_t> places{};
  };

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
      if (o.value.kind == Json::Kind::object) out += (out.empty() ? "" : ".") + o.name;
    return out;
  }

  JsonDocument& document_;
  std::string_view file_;
  std::vector<Open> open_;
};

}  // namespace

const Json* Json::find(std::string_view name) const {
  const auto at = std::find_if(members.begin(), members.end(), [&](const auto& m) { return m.first == name; });
  return at == members.end() ? nullptr : &at->second;
}

JsonDocument parse_json(std::string_view text, std::string_view file) {
  JsonDocument document;
  Builder builder(document, file);
  nlohmann::json::sax_parse(text.begin(), text.end(), &builder);
  return document;
}

std::string json_string(std::string_view words) {
  return nlohmann::json(std::string(words)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
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
