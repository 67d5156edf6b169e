#include "cli/program.hpp"
#include "support/catch.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;
using posenc::test::write_file;

namespace {
constexpr const char* llama2 = R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
  "max_position_embeddings": 4096, "rope_scaling": null, "rope_theta": 10000.0})";
}

TEST_CASE("inspect gives the frequencies of every pair") {
  const Folder folder;
  write_file(folder / "config.json", llama2);
  const auto j = json::parse(folder.run("inspect config.json --json").out);
  CHECK(j["model_type"] == "llama");
  CHECK(j["scheme"] == "rotary");
  const auto& layer = j["layers"]["all"];
  CHECK(layer["rope_type"] == "default");
  CHECK(layer["layout"] == "half_split");
  CHECK(layer["rotary_dim"] == 128);
  REQUIRE(layer["inv_freq"].size() == 64);
  // theta_i = base^(-2i/d), to one rounding of the power
  for (int i = 0; i < 64; ++i) {
    const double expected = std::pow(10000.0, -2.0 * i / 128.0);
    CHECK(std::abs(layer["inv_freq"][i].get<double>() - expected) <= 4e-16 * expected);
  }
}

TEST_CASE("interpolation divides, and the terminal says so on one screen") {
  const Folder folder;
  write_file(folder / "config.json",
             R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 2048,
                 "rope_scaling": {"type": "linear", "factor": 4.0}})");
  const auto j = json::parse(folder.run("inspect config.json --json").out);
  CHECK(j["layers"]["all"]["rope_type"] == "linear");
  CHECK(j["layers"]["all"]["inv_freq"][0] == 0.25);
  const auto text = folder.run("inspect config.json");
  CHECK(text.code == 0);
  CHECK(posenc::test::lines(text.out) <= 24);
  CHECK(text.out.find("linear") != std::string::npos);
}

TEST_CASE("--strict fails on a warning or a conflict, what cannot be valid is bad data") {
  const Folder folder;
  write_file(folder / "warned.json",
             R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "max_position_embeddings": 2048,
                 "rope_theta": 10000, "rope_scaling": {"rope_type": "linear", "factor": 0.5}})");
  CHECK(folder.run("inspect warned.json -q").code == 0);
  CHECK(folder.run("inspect warned.json -q --strict").code == 1);
  write_file(folder / "wrong.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
                 "rope_scaling": {"rope_type": "sideways", "factor": 2}})");
  const auto wrong = folder.run("inspect wrong.json --json");
  CHECK(wrong.code == 65);
  CHECK(posenc::test::lines(wrong.err) == 1);
  CHECK_FALSE(json::parse(wrong.out)["errors"].empty());
}

TEST_CASE("what a mistaken key would do, in numbers") {
  const Folder folder;
  write_file(folder / "config.json",
             R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131072,
                 "rope_theta": 500000.0, "rope_scaling": {"rope_type": "yarn", "factor": 16,
                 "original_max_position_embeddings": 8192}})");
  const auto j = json::parse(folder.run("inspect config.json --json").out);
  const auto reading = [&](const char* condition) {
    for (const auto& w : j["what_if"])
      if (w["condition"] == condition) return w;
    FAIL(condition);
    return json();
  };
  // |500000^(-j/64) - 10000^(-j/64)| is largest at j = 6: 0.12946 rad a position, a quarter turn at pi/2 / 0.12946 = 12.1
  const auto base = reading("the base were ignored (10000)");
  CHECK(base["parts_fastest"] == "pair 6");
  CHECK(base["quarter_turn_at"] == 13);
  CHECK(base["score_ratio"] == 1);
  // The attention factor 0.1 ln 16 + 1 enters query and key.
  const auto scaling = reading("the yarn scaling were dropped");
  CHECK(std::abs(scaling["score_ratio"].get<double>() - std::pow(0.1 * std::log(16) + 1, -2)) <= 1e-15);
  // Channel 127 of the half-split layout is pair 63, of the other pair 63 too; channel 64 is pair 0 against pair 32.
  const auto layout = reading("pairs were taken as (2i, 2i+1)");
  CHECK(layout["quarter_turn_at"] == 2);
  const auto& bounds = j["layers"]["all"]["bounds"];
  CHECK(bounds["trained"] == 8192);
  CHECK(bounds["pairs_turning"] == 64);
  CHECK(bounds["shortest_wavelength"].get<double>() == Approx(2 * std::acos(-1)).epsilon(1e-15));
  CHECK(folder.run("inspect config.json").out.find("from position 13") != std::string::npos);
}

TEST_CASE("inspect says from which lag on the sum of cosines is negative") {
  const Folder folder;
  write_file(folder / "config.json",
             R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 4096,
                 "rope_theta": 10000.0})");
  const auto bounds = json::parse(folder.run("inspect config.json --json").out)["layers"]["all"]["bounds"];
  REQUIRE(bounds["first_negative_lag"].is_number());
  // sum over the 64 pairs of cos(s 10000^(-j/64)), negative there and nowhere before
  const auto sum = [](double s) {
    double out = 0;
    for (int k = 0; k < 64; ++k) out += std::cos(s * std::pow(10000.0, -k / 64.0));
    return out;
  };
  const int lag = bounds["first_negative_lag"];
  CHECK(sum(lag) < 0);
  int before = 0;
  for (int s = 0; s < lag; ++s) before += sum(s) < 0;
  CHECK(before == 0);
}

TEST_CASE("--as names the tool that reads the file") {
  const Folder folder;
  write_file(folder / "config.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
                 "max_position_embeddings": 2048, "rope_theta": 10000, "rope_scaling": {"type": "dynamic", "factor": 4.0}})");
  const auto hf = json::parse(folder.run("inspect config.json --json").out);
  const auto vllm = json::parse(folder.run("inspect config.json --as vllm --json").out);
  const auto llama_cpp = json::parse(folder.run("inspect --as=llama.cpp config.json --json").out);
  CHECK(hf["dialect"] == "hf");
  CHECK(json::parse(folder.run("inspect config.json --as hf --json").out) == hf);
  CHECK(vllm["dialect"] == "vllm");
  CHECK(llama_cpp["dialect"] == "llama.cpp");
  // One table of the base b (s^2 - s + 1)^(d/(d-2)), d = 32; and none.
  const double base = 10000 * std::pow(13.0, 32.0 / 30);
  CHECK(std::abs(vllm["layers"]["all"]["inv_freq"][1].get<double>() * std::pow(base, 1.0 / 16) - 1) <= 1e-14);
  CHECK(vllm["layers"]["all"]["max_position_embeddings"] == 8192);
  CHECK(llama_cpp["layers"]["all"]["rope_type"] == "default");
  CHECK(llama_cpp["layers"]["all"]["inv_freq"] == hf["layers"]["all"]["inv_freq"]);
  CHECK(folder.run("inspect config.json --as vllm").out.find("config.json as vllm: model_type llama") == 0);
  CHECK(folder.run("inspect config.json --as llama.cpp -q --strict").code == 1);
  write_file(folder / "refused.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2,
                 "max_position_embeddings": 2048, "rope_theta": 10000, "partial_rotary_factor": 0})");
  CHECK(folder.run("inspect refused.json -q").code == 0);
  const auto refused = folder.run("inspect refused.json -q --as vllm");
  CHECK(refused.code == 65);
  CHECK(refused.err.find("refused.json: vLLM: partial_rotary_factor = 0: must be in (0, 1]") != std::string::npos);
}

TEST_CASE("a warning says its consequence, and the other tools what they would do") {
  const Folder folder;
  write_file(folder / "config.json",
             R"({"model_type": "gpt_oss", "hidden_size": 2880, "num_attention_heads": 64, "head_dim": 64, "num_hidden_layers": 2,
                 "layer_types": ["full_attention", "full_attention"], "max_position_embeddings": 131072, "rope_theta": 150000,
                 "rope_scaling": {"rope_type": "yarn", "factor": 16, "beta_fast": 32, "beta_slow": 1, "truncate": false,
                 "original_max_position_embeddings": 4096}})");
  const auto text = folder.run("inspect config.json").out;
  // factor 16 against 131072 / 4096 = 32
  CHECK(text.find("\n  if the factor were 32: pair ") != std::string::npos);
  CHECK(text.find("llama.cpp reads the file") != std::string::npos);  // rounds the ends of the blend
  CHECK(text.find("vLLM turns the same") != std::string::npos);
  const auto j = json::parse(folder.run("inspect config.json --json").out);
  for (const char* tool : {"vLLM", "llama.cpp"}) CHECK(j["tools"][tool] == json({{"refuses", nullptr}, {"model_known", true}}));
  bool found = false;
  for (const auto& w : j["what_if"]) found |= w["condition"] == "the factor were 32" && w["warning"] == 0;
  CHECK(found);
}

TEST_CASE("a tool that differs within the training length alone is told from one that does not") {
  // vLLM takes the long list at every length, transformers the short one up to 4096 tokens.
  const Folder folder;
  std::string ones = "1", twos = "2";
  for (int i = 1; i < 16; ++i) ones += ", 1", twos += ", 2";
  write_file(folder / "config.json",
             R"({"model_type": "phi3", "hidden_size": 64, "num_attention_heads": 2, "num_hidden_layers": 2, "rope_theta": 10000,
                 "max_position_embeddings": 8192, "original_max_position_embeddings": 4096,
                 "rope_scaling": {"type": "longrope", "short_factor": [)" +
                 ones + R"(], "long_factor": [)" + twos + "]}}");
  const auto text = folder.run("inspect config.json").out;
  // pair 0 turns by 1 and by 1/2: a quarter turn apart from position 4 on
  CHECK(text.find("vLLM reads the file (to 4096 tokens)") != std::string::npos);
  CHECK(text.find("vLLM turns the same") == std::string::npos);
  const auto j = json::parse(folder.run("inspect config.json --json").out);
  for (const auto& w : j["what_if"])
    if (w["condition"] == "vLLM reads the file") {
      CHECK(w["in_use"] == 4096);
      CHECK(w["quarter_turn_at"] == 4);
    }
}

TEST_CASE("what is not known of a tool is not claimed, and types that transformers lacks are named") {
  const Folder folder;
  write_file(folder / "odd.json", R"({"model_type": "fooformer", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 10000,
                 "max_position_embeddings": 2048, "rope_scaling": {"type": "ntk", "factor": 4}})");
  const auto text = folder.run("inspect odd.json").out;
  for (const char* tool : {"vLLM", "llama.cpp"})
    CHECK(text.find(std::string(tool) + ": its rules for this model are not known here") != std::string::npos);
  CHECK(text.find("rope_type = ntk: no type of transformers") != std::string::npos);
}

TEST_CASE("a foreign file cannot write to the terminal") {
  const Folder folder;
  write_file(folder / "evil.json", R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 10000,
                 "rope_scaling": {"type": "x\u001b]0;a\u0007\n\u202e\u009b", "factor": 2}})");
  const auto run = folder.run("inspect evil.json");
  CHECK(run.code == 65);
  for (const std::string& out : {run.out, run.err})
    for (const char* raw : {"\x1b", "\x07", "\xe2\x80\xae", "\xc2\x9b"}) CHECK(out.find(raw) == std::string::npos);
  CHECK(posenc::test::lines(run.err) == 1);
}

TEST_CASE("a head of thousands of channels costs no memory to speak of") {
  const Folder folder;
  write_file(folder / "wide.json", R"({"model_type": "llama", "hidden_size": 8192, "num_attention_heads": 1, "rope_theta": 10000,
                 "max_position_embeddings": 1000000})");
  const auto j = json::parse(folder.run("inspect wide.json --json").out);
  CHECK(j["layers"]["all"]["bounds"]["lags_searched"] == (1 << 24) / 4096);
}
