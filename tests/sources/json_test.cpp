#include "sources/json.hpp"

#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using sources::Json;
using sources::parse_json;
using test::thrown;

TEST_CASE("values keep their kind, order and spelling") {
  const auto root =
      parse_json(R"({"b": 1, "a": 1.50, "n": null, "t": true, "s": "x\u00e9\"", "l": [1, -2, 3e2], "o": {}})", "f").root;
  REQUIRE(root.members.size() == 7);
  CHECK(root.members[0].first == "b");
  CHECK((root.find("b")->kind == Json::Kind::integer && root.find("b")->integer == 1 && root.find("b")->number == 1));
  CHECK((root.find("a")->kind == Json::Kind::number && root.find("a")->text == "1.50"));
  CHECK(root.find("l")->items.size() == 3);
  CHECK(root.find("missing") == nullptr);
  CHECK(sources::json_text(root) ==
        "{\"b\": 1, \"a\": 1.50, \"n\": null, \"t\": true, \"s\": \"x\xc3\xa9\\\"\", \"l\": [1, -2, 3e2], \"o\": {}}");
  CHECK(parse_json("18446744073709551615", "f").root.number == 18446744073709551615.0);
}

TEST_CASE("a name that occurs twice is reported with its path, and the last value counts") {
  const auto document = parse_json(R"({"a": 1, "o": {"x": 1, "y": [{"z": 1, "z": 2}], "x": 3}, "a": 2})", "f");
  CHECK(document.repeated == std::vector<std::string>{"o.y.z", "o.x", "a"});
  CHECK(document.root.find("a")->integer == 2);
  CHECK(document.root.find("o")->find("x")->integer == 3);
  CHECK(document.root.members.size() == 2);
}

TEST_CASE("what is not JSON is refused in one line that names the file") {
  for (const std::string bad : {"",
                                " ",
                                "{",
                                "[1,]",
                                "{\"a\":1,}",
                                "{a:1}",
                                "NaN",
                                "{\"a\": NaN}",
                                "[Infinity]",
                                "1 2",
                                "{\"a\": 1} x",
                                "// c\n1",
                                "01",
                                "\"\xff\xfe\"",
                                "\"\n\"",
                                "1e999",
                                "'a'",
                                "\"\\ud800\"",
                                "[1 2]",
                                "nul"}) {
    CAPTURE(bad);
    const std::string outcome = thrown([&] { parse_json(bad, "f.json"); });
    CHECK(outcome.substr(0, 12) == "65: f.json: ");
    for (const char c : outcome) CHECK((c >= 32 && c <= 126));
  }
}

TEST_CASE("a number that is none is told with its path, as written, and the rule") {
  const std::string rule = ": must be a number as JSON has it: no NaN, Infinity, hexadecimal digits, leading + or 0";
  for (const char* const token :
       {"NaN", "Infinity", "-Infinity", "nan", "0x10", "+1", ".5", "1.", "01", "-01", "1e", "1_000", "1e5f"}) {
    CAPTURE(token);
    const std::string number = token;
    CHECK(thrown([&] { parse_json("{\"a\": {\"rope_theta\": " + number + "}, \"b\": 1}", "f"); }) ==
          "65: f: a.rope_theta = " + number + rule);
    CHECK(thrown([&] { parse_json("[1, " + number + "]", "f"); }) == "65: f: " + number + rule);
  }
  for (const char* const token : {"1e999", "-1E400", "1e99999999999"})
    CHECK(thrown([&] { parse_json("{\"factor\": " + std::string(token) + "}", "f"); }) ==
          "65: f: factor = " + std::string(token) + ": must be a number that float64 holds, below 1.8e308");
  CHECK(thrown([] { parse_json("{\"a\": 1" + std::string(400, '0') + "}", "f"); }).size() < 240);
  // What was no number keeps the reader's own words.
  for (const char* const bad : {"[1 2]", "{\"a\": 1} x", "{\"a\": nul}", "{\"a\": -}", "{\"a\": 1 \"b\": 2}"})
    CHECK(thrown([&] { parse_json(bad, "f"); }).find("parse error") != std::string::npos);
}

TEST_CASE("an empty file, another coding and U+0000 are named") {
  CHECK(thrown([] { parse_json(" \n", "f"); }) == "65: f: is empty: must be JSON");
  for (const char* const start : {"\xef\xbb\xbf{}", "\xff\xfe{}", "\xfe\xff{}"})
    CHECK(thrown([&] { parse_json(start, "f"); }) == "65: f: begins with a byte order mark: must be UTF-8 without one");
  for (const char* const text : {R"({"a\u0000b": 1})", R"({"x": "a\u0000b"})", R"(["a\u0000b"])"})
    CHECK(thrown([&] { parse_json(text, "f"); }) == R"(65: f: "a\u0000b": must not hold U+0000)");
  using namespace std::string_literals;
  CHECK(thrown([] { parse_json("{}\0, 1"s, "f"); }) == "65: f: byte 2 is 0: must be text");
}

TEST_CASE("what costs more than it says is bounded") {
  std::string many = "[0";
  for (int i = 0; i < (1 << 22); ++i) many += ",0";
  CHECK(thrown([&] { parse_json(many + "]", "f"); }) == "65: f: must hold at most 4194304 values");
  std::string twice = "{\"" + std::string(100000, 'n') + "\": {\"a\": 0";
  for (int i = 0; i < 1000; ++i) twice += ", \"a\": 0";
  const auto repeated = parse_json(twice + "}}", "f").repeated;
  CHECK(repeated.size() == 64);
  for (const std::string& path : repeated) CHECK(path.size() < 200);
}

TEST_CASE("a brief text ends at a character") {
  CHECK(sources::brief("short") == "short");
  std::string e;
  for (int i = 0; i < 100; ++i) e += "x\xc3\xa9";  // 3 bytes: byte 120 begins one
  CHECK(sources::brief(e) == e.substr(0, 120) + "...");
  CHECK(sources::brief("x" + e) == "x" + e.substr(0, 118) + "...");  // byte 120 is the second of é
}

TEST_CASE("nesting is bounded") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(thrown([&] { parse_json(nested(64), "f"); }) == "nothing");
  CHECK(thrown([&] { parse_json(nested(65), "f"); }) == "65: f: must not be nested more than 64 levels deep");
  CHECK(thrown([&] { parse_json(std::string(1000000, '['), "f"); }).find("64 levels") != std::string::npos);
}
