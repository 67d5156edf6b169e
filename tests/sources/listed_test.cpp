#include "sources/listed.hpp"

#include "sources/model_file.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::TemporaryFile;
using test::thrown;

namespace {

std::string first_error(const std::string& entries) {
  const auto report = sources::read_model_text("{\"encodings\": " + entries + "}", "t.json", "");
  return report.errors.empty() ? "none" : report.errors.front();
}

}  // namespace

TEST_CASE("encodings written out in JSON, files from their own folder") {
  const TemporaryFile file("two.json", R"({"_note": "x", "encodings": [
    {"label": "a", "scheme": "shaw", "values": {"clip": 8, "causal": true, "std": 0.5}, "files": {"table": "t.npy"}},
    {"label": "b", "scheme": "m-rope", "values": {"sections": [16, 24, 24]}, "files": {"x": "/abs.npy"}}]})");
  const auto specs = sources::read_encodings(file.path());
  REQUIRE(specs.size() == 2);
  const std::string folder = file.path().substr(0, file.path().rfind('/'));
  using Values = std::vector<std::pair<std::string, std::string>>;
  CHECK(specs[0].label == "two.a");
  CHECK(specs[0].values == Values{{"clip", "8"}, {"causal", "true"}, {"std", "0.5"}, {"table", folder + "/t.npy"}});
  CHECK(specs[1].values == Values{{"sections", "16/24/24"}, {"x", "/abs.npy"}});
  const auto named = sources::read_encodings(file.path(), "mine", "@here");
  CHECK(named[0].label == "mine.a");
  CHECK(named[0].values.back().second == "@here/t.npy");
}

TEST_CASE("an entry that says too little or too much is refused") {
  CHECK(first_error("[{\"scheme\": \"rope\"}]") == "none");
  CHECK(first_error("[]") == "encodings: must be a list of encodings");
  CHECK(first_error("3") == "encodings: must be a list of encodings");
  CHECK(first_error("[1]") == "encodings[0]: must be an object");
  CHECK(first_error("[{}]") == "encodings[0].scheme: missing");
  CHECK(first_error(R"([{"scheme": 3}])") == "encodings[0].scheme = 3: must be text");
  CHECK(first_error(R"([{"scheme": "rope", "extra": 1}])") ==
        "encodings[0].extra: unknown: must be scheme, label, values or files");
  CHECK(first_error(R"([{"scheme": "rope", "values": {"dim": null}}])") ==
        "encodings[0].values.dim = null: must be a number, true or false, text or a list of numbers");
  CHECK(first_error(R"([{"scheme": "t5", "files": {"table": ""}}])") == "encodings[0].files.table: must name a file");
  CHECK(first_error(R"([{"scheme": "rope"}, {"scheme": "pi"}])") == "encodings[1].label = all: given twice");
  CHECK(first_error(R"([{"scheme": "ro\npe"}])") == R"(encodings[0].scheme = "ro\npe": must be a scheme's name)");
  CHECK(first_error(R"([{"scheme": ""}])") == R"(encodings[0].scheme = "": must be a scheme's name)");
  for (const char* const label : {"a b", "a/b", "", "-a", ".a", R"(\u001b[2J)"})
    CHECK(first_error(R"([{"scheme": "rope", "label": ")" + std::string(label) + "\"}]") ==
          "encodings[0].label = \"" + std::string(label) +
              "\": must be letters, digits and _.+-, the first a letter, digit or _");
  CHECK(first_error(R"([{"scheme": "rope", "scheme": "pi"}])") == "encodings.scheme: given twice");
  CHECK(thrown([] { sources::read_model("nowhere.json"); }) == "66: nowhere.json: no such file");
}
