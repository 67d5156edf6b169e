#include "io/utf8.hpp"

#include "support/catch.hpp"

using posenc::io::to_utf8;
using namespace std::string_literals;

TEST_CASE("valid UTF-8 is kept") {
  for (const std::string& s : {""s, "plain"s, "gr\u00f6\u00dfe"s, "\u4f4d\u7f6e"s, "\U0001F600"s,
                               "\u007f\u0080\u07ff\u0800\uffff"s, "\xF4\x8F\xBF\xBF"s, "tab\tand\nline"s})
    CHECK(to_utf8(s) == s);
}

// The ill-formed sequences of the Unicode Standard, table 3-7.
TEST_CASE("bytes that are no UTF-8 become visible") {
  CHECK(to_utf8("a\xFF") == "a\\xff");
  CHECK(to_utf8("\xC3") == "\\xc3");
  CHECK(to_utf8("\xC3(") == "\\xc3(");
  CHECK(to_utf8("\xC0\xAF") == "\\xc0\\xaf");           // overlong
  CHECK(to_utf8("\xE0\x9F\x80") == "\\xe0\\x9f\\x80");  // overlong
  CHECK(to_utf8("\xED\xA0\x80") == "\\xed\\xa0\\x80");  // surrogate
  CHECK(to_utf8("\xF4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");
  CHECK(to_utf8("\xF0\x9F\x98") == "\\xf0\\x9f\\x98");
  CHECK(to_utf8("a\0b"s) == "a\\x00b");
}
