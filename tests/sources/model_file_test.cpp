#include "sources/model_file.hpp"

#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using sources::read_encodings;
using test::TemporaryFile;
using test::thrown;

namespace {
const std::string configs = POSENC_TEST_DATA "/configs/";
std::string labels(const std::string& file) {
  std::string out;
  for (const auto& spec : read_encodings(file)) out += (out.empty() ? "" : " ") + spec.label + "=" + spec.scheme;
  return out;
}
}  // namespace

TEST_CASE("a config.json gives one encoding a layer type, labelled by its folder") {
  const TemporaryFile gemma("gemma-3/config.json", test::bytes_of_file(configs + "gemma3_4b_linear8.json"));
  CHECK(labels(gemma.path()) == "gemma-3.sliding_attention=rope gemma-3.full_attention=pi");
  const TemporaryFile odd("my model/config.json", test::bytes_of_file(configs + "llama_2_7b.json"));
  CHECK(labels(odd.path()) == "my_model=rope");
  CHECK(labels(configs + "llama_2_7b.json") == "llama_2_7b=rope");
  CHECK(labels(configs + "lfm2_5_vl_1_6b.json") == "lfm2_5_vl_1_6b.full_attention=rope");
  CHECK(labels(configs + "t5_small_fixture.json") == "t5_small_fixture.encoder=t5 t5_small_fixture.decoder=t5");
}

TEST_CASE("a table is learned positions") {
  const std::string file = POSENC_DATA_DIR "/trained/learned.wpe.npy";
  const auto specs = read_encodings(file);
  REQUIRE(specs.size() == 1);
  CHECK((specs[0].scheme == "learned" && specs[0].label == "learned.wpe"));
  CHECK(specs[0].values == std::vector<std::pair<std::string, std::string>>{{"table", file}});
}

TEST_CASE("a named array has its name in the label") {
  const auto label = [](const std::string& file) { return read_encodings(file).at(0).label; };
  CHECK(label("a/w.npz#wpe") == "w.wpe");
  CHECK(label("model.safetensors.index.json#h.wpe") == "model.safetensors.index.h.wpe");
  CHECK(label("out.h5#/encodings/sinusoidal/table") == "out.encodings_sinusoidal_table");
  CHECK(label("out.h5") == "out");
  CHECK(label("m.gguf#position_embd.weight") == "m.position_embd.weight");
}

TEST_CASE("what cannot be an encoding is refused in one line") {
  CHECK(thrown([] { read_encodings("nowhere.json"); }) == "66: nowhere.json: no such file");
  CHECK(thrown([] { read_encodings(configs + "odd_factor_null.json"); }) ==
        "65: " + configs + "odd_factor_null.json: rope_scaling.factor = null: must be a number");
  CHECK(thrown([] { read_encodings("a.xyz"); }) == "66: a.xyz: no such file");
  const TemporaryFile unknown("a.xyz", "");
  CHECK(thrown([&] { read_encodings(unknown.path()); }) == "65: " + unknown.path() + ": unknown kind of file");
  const TemporaryFile mamba("m.json", R"({"model_type": "mamba", "hidden_size": 64})");
  CHECK(thrown([&] { read_encodings(mamba.path()); }).find("model_type mamba: has no attention") != std::string::npos);
}

TEST_CASE("a word is a file by its / or its suffix") {
  for (const char* const word :
       {"a/b", "./x", "config.json", "m.gguf", "w.safetensors", "w.safetensors#wpe", "t.npy", "t.npz", "t.csv", "t.h5"})
    CHECK(sources::is_file_word(word));
  for (const char* const word : {"rope", "yarn:factor=4", "all", "npy"}) CHECK_FALSE(sources::is_file_word(word));
}
