#include "app/encoding_string.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

using namespace posenc::app;
using Values = std::vector<std::pair<std::string, std::string>>;

namespace {
std::string refusal(const char* word) {
  try {
    parse_encoding(word);
  } catch (const posenc::UsageError& e) {
    return e.what();
  }
  return "accepted";
}
}  // namespace

TEST_CASE("a name and its values are taken apart in order") {
  const auto w = parse_encoding("yarn:factor=4,original=8192,label=big");
  CHECK(w.kind == WordKind::scheme);
  CHECK(w.name == "yarn");
  CHECK(w.values == Values{{"factor", "4"}, {"original", "8192"}});
  CHECK(w.label == "big");
  CHECK(parse_encoding("nope").values.empty());
}

TEST_CASE("a value may hold '=', ':' and '/'") {
  CHECK(parse_encoding("learned:table=a/b:c=d.npy").values == Values{{"table", "a/b:c=d.npy"}});
  CHECK(parse_encoding("m-rope:sections=16/24/24").values == Values{{"sections", "16/24/24"}});
}

TEST_CASE("presets begin with @") {
  const auto w = parse_encoding("@llama-3.1-8b:factor=16");
  CHECK(w.kind == WordKind::preset);
  CHECK(w.name == "llama-3.1-8b");
  CHECK(w.values == Values{{"factor", "16"}});
}

TEST_CASE("a slash or a known suffix makes a file, whatever its colons") {
  for (const char* name : {"config.json", "m.gguf", "a.safetensors", "t.npy", "t.npz", "t.csv", "t.h5", "models/llama", "./x"}) {
    CHECK(parse_encoding(name).kind == WordKind::file);
    CHECK(parse_encoding(name).name == name);
  }
  const auto array = parse_encoding("m.safetensors#wpe.weight:label=gpt");
  CHECK(array.kind == WordKind::file);
  CHECK(array.name == "m.safetensors#wpe.weight");
  CHECK(array.label == "gpt");
  CHECK(parse_encoding("./a:b/c.json:factor=4").name == "./a:b/c.json");
}

TEST_CASE("what is no encoding is refused in one line") {
  CHECK(refusal("") == "encoding: must not be empty");
  CHECK(refusal(":dim=4") == "encoding ':dim=4': must begin with a name");
  CHECK(refusal("@") == "encoding '@': must begin with a name");
  CHECK(refusal("rope:") == "rope: '': must be key=value");
  CHECK(refusal("rope:dim") == "rope: 'dim': must be key=value");
  CHECK(refusal("rope:dim=4,") == "rope: '': must be key=value");
  CHECK(refusal("rope:=4") == "rope: '=4': must be key=value");
  CHECK(refusal("rope:dim=") == "rope: dim: must not be empty");
  CHECK(refusal("rope:dim=4,dim=8") == "rope: dim = 8: given twice");
  CHECK(refusal("rope:label=a,label=b") == "rope: label = b: given twice");
}
