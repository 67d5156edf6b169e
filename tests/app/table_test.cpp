#include "app/table.hpp"

#include "support/catch.hpp"

#include <limits>

using namespace posenc::app;

TEST_CASE("columns are aligned, the first to the left, and end at the width") {
  TextTable t({"a", "long", "c"});
  t.add({"name", "1", "22"});
  CHECK(t.text() == "a     long   c\nname     1  22\n");
  CHECK(t.text(10) == "a     long\nname     1\n");
  CHECK(t.text(3) == "a\nname\n");
}

TEST_CASE("bytes of UTF-8 beyond the first take no column") {
  TextTable t({"x", "y"});
  t.add({"\xc3\xa4\xc3\xb6", "1"});
  CHECK(t.text() == "x   y\n\xc3\xa4\xc3\xb6  1\n");
}

TEST_CASE("text is broken at blanks, paragraphs are kept") {
  CHECK(wrapped("one two three", 8) == "one two\nthree\n");
  CHECK(wrapped("one two", 9, 4) == "    one\n    two\n");
  CHECK(wrapped("a\n\nb", 20) == "a\n\nb\n");
  CHECK(wrapped("overlong", 3) == "overlong\n");
}

TEST_CASE("numbers for reading") {
  CHECK(readable(0) == "0");
  CHECK(readable(4096) == "4096");
  CHECK(readable(0.123456) == "0.1235");
  CHECK(readable(1.5e-7) == "1.500e-07");
  CHECK(readable(1e20) == "1.000e+20");
  CHECK(readable(std::numeric_limits<double>::quiet_NaN()) == "-");
  CHECK(readable(std::numeric_limits<double>::infinity()) == "inf");
  CHECK(readable_bytes(1023) == "1023 B");
  CHECK(readable_bytes(1536) == "1.5 KiB");
  CHECK(readable_bytes(3.0 * 1024 * 1024 * 1024) == "3.0 GiB");
}
