#include "sources/loader.hpp"
#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::TemporaryFile;
using test::thrown;

namespace {

const std::string index_file = POSENC_TEST_DATA "/sharded/model.safetensors.index.json";

std::string opening(const std::string& file) {
  return thrown([&] { sources::FileLoader().open(file); });
}
std::string indexed(const std::string& text) {
  const TemporaryFile file("m.safetensors.index.json", text);
  return opening(file.path() + "#a");
}
bool says(const std::string& message, const std::string& words) { return message.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("the index names the file of every array") {
  const sources::FileLoader loader;
  for (const auto& [name, scale] : {std::pair("wpe.weight", 1.0), std::pair("wte.weight", 2.0)}) {
    const auto t = loader.open(index_file + "#" + name);
    CHECK(t->shape() == std::vector<model::Pos>{3, 4});
    std::vector<double> values(12);
    t->read(0, values);
    for (std::size_t k = 0; k < 12; ++k) CHECK(values[k] == scale * static_cast<double>(k) / 8);
  }
}

TEST_CASE("an index that does not lead to an array is refused") {
  CHECK(says(opening(index_file), "lists 3 arrays: name one as"));
  CHECK(says(opening(index_file + "#wpe.wieght"), "lists no array wpe.wieght; did you mean wpe.weight?"));
  CHECK(opening(index_file + "#gone.weight") == "66: " POSENC_TEST_DATA
                                                "/sharded/model-00003-of-00002.safetensors: no such file");
  CHECK(says(indexed("{}"), "weight_map: must be an object"));
  CHECK(says(indexed(R"({"weight_map": []})"), "weight_map: must be an object"));
  CHECK(says(indexed(R"({"weight_map": {"a": 1}})"), "weight_map.a = 1: must be the name of a file beside the index"));
  for (const char* const path : {"../b.safetensors", "/etc/passwd", "..", ".", "x/y"})
    CHECK(says(indexed(std::string(R"({"weight_map": {"a": ")") + path + "\"}}"), "must be the name of a file beside the index"));
  CHECK(says(indexed(R"({"weight_map": {"a": "b", "a": "c"}})"), "weight_map.a is given twice"));
  CHECK(says(indexed(R"({"weight_map": {"a": "b.safetensors\u0000"}})"), "must not hold U+0000"));
  CHECK(says(indexed(R"({"weight_map": {"a": )"), "65: "));
}
