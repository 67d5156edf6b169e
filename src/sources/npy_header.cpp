#include "sources/npy_header.hpp"

#include "core/error.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <charconv>

namespace posenc::sources {
namespace {

/// The few forms of Python literal that the header is made of.
class Literal {
 public:
  Literal(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  bool accept(char c) {
    skip_space();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) refuse();
  }
  std::string quoted() {
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const auto end = rest_.find(quote);
    if (end == std::string_view::npos) refuse();
    const std::string out(rest_.substr(0, end));
    constexpr std::size_t longest = 64;  // far beyond any key or type
    if (end > longest || !std::all_of(out.begin(), out.end(), [](char c) { return c >= ' ' && c <= '~'; })) refuse();
    rest_.remove_prefix(end + 1);
    return out;
  }
  bool boolean() {
    skip_space();
    for (const std::string_view word : {"True", "False"})
      if (rest_.starts_with(word)) return rest_.remove_prefix(word.size()), word == "True";
    refuse();
  }
  /// A tuple of non-negative integers, each perhaps with the L of Python 2.
  std::vector<model::Pos> tuple() {
    std::vector<model::Pos> out;
    expect('(');
    while (!accept(')')) {
      skip_space();
      model::Pos n = 0;
      const auto [end, status] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), n);
      if (status != std::errc{} || n < 0 || out.size() == 64) refuse();
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
      if (rest_.starts_with('L')) rest_.remove_prefix(1);
      out.push_back(n);
      if (!accept(',')) {
        expect(')');
        break;
      }
    }
    return out;
  }
  void end() {
    skip_space();
    if (!rest_.empty()) refuse();
  }
  [[noreturn]] void refuse() const {
    throw BadData(
        fmt::format("{}: .npy header: must give descr, fortran_order and shape once each, as numpy writes them", path_));
  }

 private:
  void skip_space() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
  const std::string& path_;
};

struct Code {
  std::string_view word;
  Element type;
};
constexpr Code codes[] = {{"f2", Element::f16}, {"f4", Element::f32}, {"f8", Element::f64}, {"V2", Element::bf16},
                          {"i1", Element::i8},  {"i2", Element::i16}, {"i4", Element::i32}, {"i8", Element::i64},
                          {"u1", Element::u8},  {"u2", Element::u16}, {"u4", Element::u32}, {"u8", Element::u64}};

void set_type(const std::string& descr, ArrayFacts& facts, const std::string& path) {
  const std::string_view order = std::string_view(descr).substr(0, 1), word = std::string_view(descr).substr(order.size());
  const auto* const code = std::find_if(std::begin(codes), std::end(codes), [&](const Code& c) { return c.word == word; });
  const bool one_byte = code != std::end(codes) && bytes_of(code->type) == 1;
  if (code == std::end(codes) || !(order == "<" || order == ">" || (order == "|" && one_byte)))
    throw BadData(fmt::format("{}: descr = {}: must be a float of 2, 4 or 8 bytes, <V2 (bfloat16) or an integer", path, descr));
  facts.type = code->type;
  facts.big_endian = order == ">";
}

}  // namespace

ArrayFacts npy_header(std::string_view text, const std::string& path) {
  ArrayFacts facts;
  Literal in(text, path);
  bool descr = false, order = false, shape = false;
  const auto once = [&](bool& seen) {
    if (seen) in.refuse();
    seen = true;
  };
  in.expect('{');
  while (!in.accept('}')) {
    const std::string key = in.quoted();
    in.expect(':');
    if (key == "descr")
      once(descr), set_type(in.quoted(), facts, path);
    else if (key == "fortran_order")
      once(order), facts.fortran = in.boolean();
    else if (key == "shape")
      once(shape), facts.shape = in.tuple();
    else
      in.refuse();
    if (!in.accept(',')) {
      in.expect('}');
      break;
    }
  }
  in.end();
  if (!descr || !order || !shape) in.refuse();
  return facts;
}

}  // namespace posenc::sources
