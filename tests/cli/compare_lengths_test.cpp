// The positions and lengths in use that compare chooses, and what it says of layers, heads, vectors and caches.
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>
#include <cmath>
#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;
using posenc::test::write_file;

namespace {
json report(const Folder& folder, const std::string& arguments, int code) {
  const auto out = folder.run("compare " + arguments + " --json");
  INFO(arguments << " " << out.err);
  CHECK(out.code == code);
  return json::parse(out.out);
}
std::string llama(const std::string& more) {
  return R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_key_value_heads": 2,
    "rope_theta": 10000.0, )" +
         more + "}";
}
std::string gemma(int layers, int pattern) {
  return fmt::format(R"({{"model_type": "gemma3_text", "hidden_size": 64, "num_attention_heads": 4, "head_dim": 16,
    "num_hidden_layers": {}, "max_position_embeddings": 256, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
    "sliding_window": 64, "sliding_window_pattern": {}}})",
                     layers, pattern);
}
/// cos and sin of position p and pair j of rope:dim=8.
double angle(int p, int j) { return p * std::pow(10000, -j / 4.0); }
std::string csv(int rows, int columns, const std::function<double(int, int)>& value) {
  std::string out;
  for (int p = 0; p < rows; ++p)
    for (int c = 0; c < columns; ++c) out += fmt::format("{}{}", value(p, c), c + 1 < columns ? "," : "\n");
  return out;
}
}  // namespace

TEST_CASE("positions cover the longer of the two models") {
  const Folder folder;
  write_file(folder / "short.json", llama(R"("max_position_embeddings": 512)"));
  write_file(folder / "long.json", llama(R"("max_position_embeddings": 6000)"));
  const auto last = [&](const std::string& arguments) { return report(folder, arguments, 0)["comparisons"][0]["last_position"]; };
  CHECK(last("short.json short.json") == 511);
  CHECK(last("short.json long.json") == 5999);
  CHECK(last("short.json rope:dim=16") == 511);
  CHECK(last("rope rope") == 4095);
  CHECK(last("rope:original=300 rope:original=300") == 299);
  CHECK(last("pi:factor=4,original=100 pi:factor=4,original=100") == 399);
  CHECK(last("short.json long.json --length 32 --start 7") == 38);
}

TEST_CASE("in use at the trained length and at the models' own, where that makes a difference") {
  const Folder folder;
  // Within the training length dynamic NTK is plain; beyond it the two part.
  const json both = report(folder, "dynamic-ntk:dim=16,factor=4,original=128 rope:dim=16,original=128", 1)["comparisons"];
  REQUIRE(both.size() == 2);
  CHECK(both[0]["in_use"] == 128);
  CHECK(both[0]["last_position"] == 127);
  CHECK(both[0]["agreement"] == "same");
  CHECK(both[1]["in_use"] == 512);
  CHECK(both[1]["last_position"] == 511);
  CHECK(both[1]["agreement"] == "different");
  CHECK(report(folder, "dynamic-ntk:dim=16,factor=4,original=128 rope:dim=16,original=128 --at 128", 0)["comparisons"].size() ==
        1);
  // Two lists of LongRoPE that differ only in the long one.
  const std::string one = "longrope:dim=8,original=64,factor=4,short=1/1/1/1,long=", rest = ",attention-factor=1";
  const json lists = report(folder, one + "1/2/3/4" + rest + " " + one + "1/2/3/5" + rest, 1)["comparisons"];
  REQUIRE(lists.size() == 2);
  CHECK(lists[0]["agreement"] == "same");
  CHECK(lists[1]["agreement"] == "different");
  const auto early = folder.run("compare longrope:dim=8,original=64,factor=4,factors=1/2/3/4,start-tokens=5 rope:dim=8");
  CHECK(early.out.find("longrope: positions below 5 rotate by frequencies of their own") != std::string::npos);
  // Yarn with its factor given is the same at every length in use.
  CHECK(report(folder, "yarn:factor=4,original=64 yarn:factor=4,original=64", 0)["comparisons"].size() == 1);
}

TEST_CASE("the same types of layers in another pattern, and another number of them, are a difference") {
  const Folder folder;
  write_file(folder / "six.json", gemma(12, 6)), write_file(folder / "five.json", gemma(12, 5));
  write_file(folder / "more.json", gemma(13, 6));
  CHECK(report(folder, "six.json six.json", 0)["layers"]["agreement"] == "same");
  const json gap = report(folder, "six.json five.json", 1)["layers"];
  // Layer 4 is the last of a period of five and not of six.
  CHECK(gap["first_difference"] == json({{"layer", 4}, {"first", "sliding_attention"}, {"second", "full_attention"}}));
  const json more = report(folder, "six.json more.json", 1)["layers"];
  CHECK((more["first"] == 12 && more["second"] == 13));
  CHECK(more["first_difference"].is_null());
  const auto text = folder.run("compare six.json five.json");
  CHECK(text.out.find("layer 4 is sliding_attention in the first and full_attention in the second\n") != std::string::npos);
  CHECK(report(folder, "six.json rope:dim=16,base=10000", 1)["layers"].is_null());
  write_file(folder / "unsaid.json", llama(R"("max_position_embeddings": 256)"));
  CHECK(report(folder, "unsaid.json unsaid.json", 0)["layers"]["agreement"] == "not known");
  CHECK(folder.run("compare unsaid.json unsaid.json").out.find("layers: neither file says which layer") != std::string::npos);
}

TEST_CASE("layers that meet without a namesake are compared with each other") {
  const Folder folder;
  write_file(folder / "six.json", gemma(12, 6));
  // Every layer with the local base: the sliding layers agree, the full ones do not.
  write_file(folder / "plain.json", llama(R"("max_position_embeddings": 256, "num_hidden_layers": 12)"));
  const json both = report(folder, "six.json plain.json", 1);
  REQUIRE(both["comparisons"].size() == 2);
  CHECK(both["comparisons"][0]["first"] == "six.sliding_attention");
  CHECK(both["comparisons"][0]["agreement"] == "same");
  CHECK(both["comparisons"][1]["agreement"] == "different");
  CHECK(both["layers"]["first_difference"].is_null());
  CHECK(both["layers"]["agreement"] == "by encoding");
}

TEST_CASE("a layout says which rows of the weights it reorders") {
  const Folder folder;
  write_file(folder / "grouped.json", llama(R"("max_position_embeddings": 64, "num_hidden_layers": 2)"));
  auto out = folder.run("compare grouped.json rope:dim=16,layout=interleaved").out;
  CHECK(out.find("the rows of each of 4 heads of W_q and of each of 2 heads of W_k\n") != std::string::npos);
  CHECK(out.find("for each channel of grouped: 0 2 4 6 8 10 12 14 1 3 5 7 9 11 13 15\n") != std::string::npos);
  write_file(folder / "latent.json",
             R"({"model_type": "deepseek_v3", "hidden_size": 64, "num_attention_heads": 4, "qk_nope_head_dim": 32,
                 "qk_rope_head_dim": 16, "num_hidden_layers": 2, "max_position_embeddings": 64, "rope_theta": 10000})");
  out = folder.run("compare latent.json rope:dim=16").out;
  CHECK(out.find("of each of 4 heads of W_q the rows behind the first 32, of W_k those once for all heads\n") !=
        std::string::npos);
  // A wide head in few words, both ways.
  out = folder.run("compare rope rope:layout=interleaved").out;
  CHECK(out.find(": 0 2 .. 126, 1 3 .. 127\n") != std::string::npos);
  out = folder.run("compare rope:layout=interleaved rope").out;
  CHECK(out.find(": even channels 0 1 .. 63; odd channels 64 65 .. 127\n") != std::string::npos);
}

TEST_CASE("models with other numbers of heads: a rotation does not depend on it, a bias does") {
  const Folder folder;
  const std::string wide = R"({"model_type": "llama", "hidden_size": 128, "num_attention_heads": 8, "num_key_value_heads": 2,
    "num_hidden_layers": 2, "rope_theta": 10000.0, "max_position_embeddings": 64})";
  write_file(folder / "four.json", llama(R"("max_position_embeddings": 64, "num_hidden_layers": 2)"));
  write_file(folder / "eight.json", wide);
  CHECK(folder.run("compare four.json eight.json").out.find("query heads: 4 against 8") != std::string::npos);
  CHECK(report(folder, "four.json eight.json", 0)["comparisons"][0]["agreement"] == "same");
  CHECK(report(folder, "alibi:heads=8 alibi:heads=12", 1)["comparisons"][0]["arrays"][0]["mismatch"] == "head: 8 against 12");
}

TEST_CASE("a vector is a rotation by its frequencies") {
  const Folder folder;
  std::string exact, bent;
  for (int j = 0; j < 4; ++j) {
    const double theta = std::pow(10000, -j / 4.0);
    exact += fmt::format("{}{}", theta, j < 3 ? "," : "\n"),
        bent += fmt::format("{}{}", j == 2 ? theta * 1.001 : theta, j < 3 ? "," : "\n");
  }
  write_file(folder / "inv_freq.csv", exact), write_file(folder / "bent.csv", bent);
  const json same = report(folder, "inv_freq.csv rope:dim=8", 0)["comparisons"][0];
  CHECK(same["agreement"] == "same");
  CHECK(same["arrays"][0]["largest"].get<double>() <= 2e-16);
  const json other = report(folder, "bent.csv rope:dim=8", 1)["comparisons"][0];
  CHECK(other["arrays"][0]["first"] == json({{"pair", 2}}));
  CHECK(other["arrays"][0]["largest"].get<double>() == Approx(0.001 / 1.001).epsilon(1e-10));
  // As a checkpoint registers them, computed in float32; half precision moves them further than float32 does.
  std::string single, half;
  for (int j = 0; j < 4; ++j) {
    const float theta = 1 / std::pow(10000.0F, static_cast<float>(j) / 4);
    single += fmt::format("{:.17g}{}", theta, j < 3 ? "," : "\n");
    half += fmt::format("{:.17g}{}", std::ldexp(std::round(std::ldexp(theta, 11 + 3 * j)), -11 - 3 * j), j < 3 ? "," : "\n");
  }
  write_file(folder / "single.csv", single), write_file(folder / "half.csv", half);
  const json rounded = report(folder, "single.csv rope:dim=8", 0)["comparisons"][0];
  CHECK(rounded["agreement"] == "same");
  CHECK(rounded["rounding"].get<double>() > 1e-9);
  CHECK(report(folder, "half.csv rope:dim=8", 1)["comparisons"][0]["rounding"].is_null());
  // GPT-NeoX: the first quarter of a head.
  CHECK(report(folder, "inv_freq.csv:dim=32,rotary-dim=8 rope:dim=32,partial=0.25", 0)["comparisons"][0]["agreement"] == "same");
  CHECK(report(folder, "inv_freq.csv:layout=interleaved rope:dim=8", 0)["comparisons"][0]["agreement"] ==
        "same kernel in another layout");
}

TEST_CASE("a cache is compared with a rotation by its columns") {
  const Folder folder;
  write_file(folder / "cos.csv", csv(50, 8, [](int p, int c) { return std::cos(angle(p, c % 4)); }));
  write_file(folder / "sin.csv", csv(50, 4, [](int p, int c) { return std::sin(angle(p, c)); }));
  write_file(folder / "both.csv",
             csv(50, 8, [](int p, int c) { return c < 4 ? std::cos(angle(p, c)) : std::sin(angle(p, c - 4)); }));
  write_file(folder / "late.csv",
             csv(50, 8, [](int p, int c) { return std::cos(angle(p >= 37 && c % 4 == 1 ? p + 1 : p, c % 4)); }));
  const json cosines = report(folder, "cos.csv rope:dim=8", 0)["comparisons"][0];
  CHECK(cosines["columns"] == "cosines, every pair twice in halves");
  CHECK(cosines["last_position"] == 49);
  CHECK(cosines["arrays"][0]["largest"].get<double>() < 1e-14);
  CHECK(report(folder, "rope:dim=8 sin.csv", 0)["comparisons"][0]["columns"] == "sines, one column a pair");
  CHECK(report(folder, "both.csv rope:dim=8", 0)["comparisons"][0]["columns"] == "cosines before sines");
  const json late = report(folder, "late.csv rope:dim=8", 1)["comparisons"][0];
  CHECK(late["arrays"][0]["first"] == json({{"position", 37}, {"pair", 1}, {"column", 1}}));
  // Made at another length: the plain cache is not that of dynamic NTK at four times its length.
  CHECK(report(folder, "cos.csv dynamic-ntk:dim=8,original=50 --length 50", 0)["comparisons"][0]["agreement"] == "same");
  CHECK(report(folder, "cos.csv dynamic-ntk:dim=8,original=50 --length 50 --at 200", 1)["comparisons"][0]["agreement"] ==
        "different");
}
