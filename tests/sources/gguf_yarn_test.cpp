// Yarn beside a tensor of divisors: ggml divides the angle before it blends (tools/reference/gguf_models.py).
#include "sources/gguf_words.hpp"
#include "sources/lowered.hpp"
#include "sources/mapped_file.hpp"
#include "sources/temporary_file.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using namespace posenc;
using namespace posenc::test;

TEST_CASE("divisors and yarn in one file") {
  const std::string file = POSENC_TEST_DATA "/gguf/yarn_divisors";
  const auto r = sources::read_gguf_model(sources::read_gguf(sources::map_file(file + ".gguf"), file + ".gguf"));
  REQUIRE(r.errors.empty());
  CHECK(key(r, "rope_freqs.weight").note == "divides the frequencies before yarn blends them");
  const auto scheme = resolved(r.layers.at(0).encoding);
  const model::Encoding used = scheme->lower(2048);
  const auto expected = nlohmann::json::parse(bytes_of_file(file + ".expected.json")).at("inv_freq").get<std::vector<double>>();
  const auto ours = frequencies(used);
  REQUIRE(ours.size() == expected.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    CAPTURE(i);
    CHECK(std::abs(ours[i] - expected[i]) <= 1e-15 * expected[i]);
  }
  CHECK(model::form<model::Rotary>(used)->attention_factor == Approx(0.1 * std::log(4.0) + 1).epsilon(1e-15));
}

TEST_CASE("divisors of 1 leave yarn as it is, and without a ramp both divide") {
  const auto yarn = [] { return llama().text("llama.rope.scaling.type", "yarn").f32("llama.rope.scaling.factor", 4); };
  const auto words_of = [](const GgufBytes& g) { return words(read_model(g)); };
  CHECK(words_of(yarn().factors("rope_freqs.weight", std::vector<double>(64, 1))) == words_of(yarn()));
  const auto still =
      read_model(yarn().f32("llama.rope.scaling.yarn_ext_factor", 0).factors("rope_freqs.weight", std::vector<double>(64, 2)));
  const auto ours = frequencies(resolved(still.layers.at(0).encoding)->lower(4096));
  for (std::size_t i = 0; i < ours.size(); ++i)
    CHECK(ours[i] == Approx(std::pow(10000.0, -static_cast<double>(i) / 64) / 8).epsilon(1e-14));
  CHECK(error(yarn().factors("rope_freqs.weight", {1, 2})) ==
        "rope_freqs.weight: shape [2] must be [64], one number for each pair");
}
