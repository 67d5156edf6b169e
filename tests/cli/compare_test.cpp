#include "cli/program.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;
using posenc::test::write_file;

namespace {
json compared(const Folder& folder, const std::string& arguments, int code) {
  const auto out = folder.run("compare " + arguments + " --json");
  INFO(arguments << " " << out.err);
  CHECK(out.code == code);
  return json::parse(out.out)["comparisons"][0];
}
const json& array(const json& comparison, const std::string& name) {
  for (const auto& a : comparison["arrays"])
    if (a["variable"] == name) return a;
  throw std::out_of_range(name);
}
constexpr const char* llama2 = R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
  "max_position_embeddings": 4096, "rope_theta": %s})";
std::string with_base(const std::string& base) { return std::string(llama2).replace(std::string(llama2).find("%s"), 2, base); }
}  // namespace

TEST_CASE("a layout is a permutation of channels, found and printed") {
  const Folder folder;
  const json rotary = compared(folder, "rope:dim=8 rope:dim=8,layout=interleaved --length 64", 0);
  CHECK(rotary["agreement"] == "same kernel in another layout");
  CHECK(rotary["layout"] == "half_split against interleaved");
  CHECK(rotary["channel_order"] == json({0, 2, 4, 6, 1, 3, 5, 7}));
  // Partial rotary: the rest of the head keeps its order.
  const json partial = compared(folder, "rope:dim=8,partial=0.5 rope:dim=8,partial=0.5,layout=interleaved --length 64", 0);
  CHECK(partial["channel_order"] == json({0, 2, 1, 3, 4, 5, 6, 7}));
  const json table = compared(folder, "sinusoidal:dim=6 sinusoidal:dim=6,layout=concat --length 64", 0);
  CHECK(table["channel_order"] == json({0, 3, 1, 4, 2, 5}));
}

TEST_CASE("the first difference is the first position and pair beyond the tolerance") {
  const Folder folder;
  // cos(p) - cos(p / 4) of pair 0 alone: single frequencies 1 and 1.001 part by more than 0.1 first where |cos| or |sin| do.
  const json c = compared(
      folder,
      "rope:dim=2,frequencies=single,frequency=1 rope:dim=2,frequencies=single,frequency=1.001 --length 400 --tolerance 0.1", 1);
  int first = 0;
  while (std::abs(std::cos(first) - std::cos(1.001 * first)) <= 0.1) ++first;
  CHECK(array(c, "cos")["first"]["position"] == first);
  double largest = 0;
  for (int p = 0; p < 400; ++p) largest = std::max(largest, std::abs(std::sin(p) - std::sin(1.001 * p)));
  CHECK(array(c, "sin")["largest"].get<double>() == Approx(largest).epsilon(1e-10));
  CHECK(array(c, "frequency")["largest"].get<double>() == Approx(0.001 / 1.001).epsilon(1e-12));
}

TEST_CASE("models against each other: a base, a window and a layer that differ") {
  const Folder folder;
  write_file(folder / "a.json", with_base("10000.0")), write_file(folder / "b.json", with_base("10000")),
      write_file(folder / "c.json", with_base("5e5"));
  CHECK(compared(folder, "a.json b.json --length 64", 0)["agreement"] == "same");
  CHECK(compared(folder, "a.json c.json --length 64", 1)["agreement"] == "different");
  CHECK(compared(folder, "a.json rope:dim=128 --length 64", 0)["agreement"] == "same");
  CHECK(compared(folder, "nope alibi:heads=2 --length 8", 1)["arrays"][0]["mismatch"] == "only in the second");
}

TEST_CASE("a key cached before the sequence grew is off, by so much of a turn") {
  const Folder folder;
  const auto grown = compared(folder, "dynamic-ntk:dim=8,original=512 dynamic-ntk:dim=8,original=512 --length 64 --at 4k", 0);
  REQUIRE(grown["growth"].size() == 2);
  // huggingface/transformers: base' = base (factor N/L - (factor - 1))^(d/(d-2)) with factor 1, N/L = 8.
  double largest = 0;
  for (int i = 0; i < 4; ++i) {
    const double before = std::pow(10000, -i / 4.0), after = std::pow(10000 * std::pow(8, 8.0 / 6), -i / 4.0);
    largest = std::max(largest, std::abs(std::remainder(512 * (before - after) / (2 * M_PI), 1.0)));
  }
  CHECK(grown["growth"][0]["turns"].get<double>() == Approx(largest).epsilon(1e-10));
  CHECK(grown["growth"][0]["trained"] == 512);
  CHECK(grown["growth"][0]["in_use"] == 4096);
  CHECK(compared(folder, "rope rope --length 64 --at 4k", 0)["growth"].empty());
  const auto text = folder.run("compare dynamic-ntk:dim=8,original=512 dynamic-ntk:dim=8,original=512 --length 64 --at 4k");
  CHECK(text.out.find("do not stay relative") != std::string::npos);
}

TEST_CASE("tables that differ in one late row are different") {
  const Folder folder;
  std::string plain, bent;
  for (int i = 0; i < 400; ++i)
    for (int j = 0; j < 4; ++j) {
      const double x = std::sin(i * 0.7 + j * j);
      const std::string end = j == 3 ? "\n" : ",";
      plain += std::to_string(x) + end, bent += std::to_string(i == 300 && j == 2 ? x + 0.1 : x) + end;
    }
  write_file(folder / "plain.csv", plain), write_file(folder / "bent.csv", bent);
  const json c = compared(folder, "plain.csv bent.csv --length 400", 1);
  CHECK(c["agreement"] == "different");
  CHECK(array(c, "table")["first"] == json({{"position", 300}, {"channel", 2}}));
}

TEST_CASE("compare refuses what is no pair, in one line") {
  const Folder folder;
  for (const char* arguments : {"compare rope", "compare rope nowhere", "compare rope alibi nope", "compare rope missing.json"}) {
    const auto out = folder.run(arguments);
    INFO(arguments << out.err);
    CHECK(out.code >= 64);
    CHECK(posenc::test::lines(out.err) <= 2);
    CHECK(out.out.empty());
  }
}

TEST_CASE("one file as two tools read it") {
  const Folder folder;
  // YaRN without rounding: llama.cpp rounds the ends of the ramp, vLLM does not.
  write_file(folder / "config.json", R"({"model_type": "llama", "hidden_size": 128, "num_attention_heads": 2,
      "max_position_embeddings": 16384, "rope_theta": 10000.0, "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
      "original_max_position_embeddings": 4096, "truncate": false}})");
  CHECK(compared(folder, "config.json config.json:as=vllm --length 64", 0)["agreement"] == "same");
  CHECK(compared(folder, "config.json:as=hf config.json:label=b,as=llama.cpp --length 64", 1)["agreement"] == "different");
  CHECK(compared(folder, "@llama-3.1-8b @llama-3.1-8b:as=vllm --length 64", 0)["agreement"] == "same");
  const auto dry = folder.run("decay config.json:as=llama.cpp,base=500 -o out.h5 --dry-run --json");
  CHECK(dry.code == 0);
  CHECK(dry.out.find("llama.cpp") == std::string::npos);  // no field of the scheme
}
