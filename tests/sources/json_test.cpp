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

TEST_CASE("nesting is bounded") {
  const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(thrown([&] { parse_json(nested(64), "f"); }) == "nothing");
  CHECK(thrown([&] { parse_json(nested(65), "f"); }) == "65: f: must not be nested more than 64 levels deep");
  CHECK(thrown([&] { parse_json(std::string(1000000, '['), "f"); }).find("64 levels") != std::string::npos);
}
