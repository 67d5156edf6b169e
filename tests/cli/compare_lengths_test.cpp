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
/// numpy's format, version 1.0, of float64 in C order.
std::string npy(const std::string& shape, const std::vector<double>& values) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' '), header += '\n';
  return std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header +
         std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
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

TEST_CASE("a vector says nothing but frequencies: they alone decide") {
  const Folder folder;
  // GPT-NeoX: a quarter of a head of 64 channels turns; YaRN: attention factor 0.1 ln 4 + 1.
  write_file(folder / "nx.json", R"({"model_type": "gpt_neox", "hidden_size": 128, "num_attention_heads": 2, "rotary_pct": 0.25,
    "rotary_emb_base": 10000, "max_position_embeddings": 512})");
  const auto vector = [&](double bend) {
    return csv(1, 8, [&](int, int j) { return std::pow(10000, -j / 8.0) * (j == 5 ? 1 + bend : 1); });
  };
  write_file(folder / "v.csv", vector(0)), write_file(folder / "bent.csv", vector(1e-6));
  const json same = report(folder, "v.csv nx.json", 0)["comparisons"][0];
  CHECK(same["agreement"] == "same");
  CHECK(same["notes"][0].get<std::string>().find("states frequencies alone; taken from nx") != std::string::npos);
  CHECK(same["notes"][0].get<std::string>().find("16 of 64 channels of a head turn") != std::string::npos);
  CHECK(report(folder, "nx.json v.csv", 0)["comparisons"][0]["agreement"] == "same");
  const json bent = report(folder, "bent.csv nx.json", 1)["comparisons"][0];
  CHECK(bent["arrays"].size() > 1);
  for (const auto& a : bent["arrays"])
    if (a["variable"] == "frequency") CHECK(a["first"] == json({{"pair", 5}}));
  const json yarn = report(folder, "v.csv yarn:dim=16,factor=1,attention-factor=1.25,layout=interleaved", 0)["comparisons"][0];
  CHECK(yarn["notes"][0].get<std::string>().find("attention factor 1.25") != std::string::npos);
  CHECK(yarn["notes"][0].get<std::string>().find("layout interleaved") != std::string::npos);
  // As many frequencies as pairs, or different: nothing but the number is said.
  const json few = report(folder, "v.csv rope:dim=8", 1)["comparisons"][0];
  CHECK(few["arrays"].size() == 1);
  CHECK(few["arrays"][0]["mismatch"] == "pair: 8 against 4");
  CHECK(few["notes"].empty());
}

TEST_CASE("more numbers than a head may have are refused by their count") {
  const Folder folder;
  std::string many = "1";
  for (int i = 0; i < (1 << 19); ++i) many += ",1";
  write_file(folder / "many.csv", many + "\n");
  const auto out = folder.run("compare many.csv rope");
  CHECK(out.code == 65);
  CHECK(out.err.find("524289 frequencies: a head has at most 524288 pairs") != std::string::npos);
}

TEST_CASE("a cache has a layout where it has every pair twice") {
  const Folder folder;
  write_file(folder / "halves.csv", csv(50, 8, [](int p, int c) { return std::cos(angle(p, c % 4)); }));
  write_file(folder / "beside.csv", csv(50, 8, [](int p, int c) { return std::sin(angle(p, c / 2)); }));
  write_file(folder / "once.csv", csv(50, 4, [](int p, int c) { return std::cos(angle(p, c)); }));
  const json halves = report(folder, "halves.csv rope:dim=8,layout=interleaved --length 50", 0)["comparisons"][0];
  CHECK(halves["agreement"] == "same kernel in another layout");
  CHECK(halves["layout"] == "half_split against interleaved");
  // Column of the cache, c and c + 4 of pair c: channels 2c and 2c + 1 of the rotation.
  CHECK(halves["channel_order"] == json({0, 2, 4, 6, 1, 3, 5, 7}));
  const json beside = report(folder, "rope:dim=8 beside.csv --length 50", 0)["comparisons"][0];
  CHECK(beside["layout"] == "half_split against interleaved");
  CHECK(report(folder, "beside.csv rope:dim=8,layout=interleaved", 0)["comparisons"][0]["agreement"] == "same");
  const json once = report(folder, "once.csv rope:dim=8,layout=interleaved", 0)["comparisons"][0];
  CHECK(once["agreement"] == "same");
  CHECK(once["notes"] == json({"one column a pair: the table fixes no layout of channels"}));
}

TEST_CASE("a cache that does not match is read by its position 0") {
  const Folder folder;
  // Cosines of four pairs twice, against a rotation of eight pairs: a row of ones is no row of sines.
  write_file(folder / "cos.csv", csv(50, 8, [](int p, int c) { return std::cos(angle(p, c % 4)); }));
  CHECK(report(folder, "cos.csv rope:dim=16", 1)["comparisons"][0]["columns"] == "cosines, one column a pair");
  // [cos | sin] of another base, at every length in use.
  write_file(folder / "both.csv", csv(200, 8, [](int p, int c) {
               const double turn = p * std::pow(7, -(c % 4));
               return c < 4 ? std::cos(turn) : std::sin(turn);
             }));
  const json all = report(folder, "both.csv dynamic-ntk:dim=8,factor=4,original=50", 1)["comparisons"];
  CHECK(all.size() == 2);
  for (const json& c : all) CHECK(c["columns"] == "cosines before sines");
  // Another attention factor than the rotation's.
  write_file(folder / "scaled.csv", csv(50, 8, [](int p, int c) { return 1.4 * std::cos(angle(p, c % 4)); }));
  CHECK(report(folder, "scaled.csv rope:dim=8", 1)["comparisons"][0]["columns"] == "cosines, every pair twice in halves");
  // A cut that begins at position 30: no row of position 0, yet the nearest reading.
  write_file(folder / "cut.csv", csv(50, 8, [](int p, int c) { return std::cos(angle(p + 30, c % 4) * 1.0001); }));
  const json cut = report(folder, "cut.csv rope:dim=8", 1)["comparisons"][0];
  CHECK(cut["agreement"] == "different");
  CHECK(cut["arrays"].size() >= 1);
}

TEST_CASE("a table that ends before the positions asked for says so") {
  const Folder folder;
  write_file(folder / "cos.csv", csv(50, 4, [](int p, int c) { return std::cos(angle(p, c)); }));
  const auto text = folder.run("compare cos.csv rope:dim=8 --length 200");
  CHECK(text.code == 0);
  CHECK(text.out.find("same (positions 0 to 49: the table has no more, in use at 200 tokens)") != std::string::npos);
  CHECK(report(folder, "cos.csv rope:dim=8 --length 200", 0)["comparisons"][0]["table_ends"] == true);
  CHECK(report(folder, "cos.csv rope:dim=8 --length 50", 0)["comparisons"][0]["table_ends"] == false);
}

TEST_CASE("the first difference is beyond the rounding of a file") {
  const Folder folder;
  std::string fault;
  for (int j = 0; j < 8; ++j) {
    const float theta = 1 / std::pow(10000.0F, static_cast<float>(j) / 8);
    fault += fmt::format("{:.17g}{}", j == 3 ? theta * 1.001F : theta, j < 7 ? "," : "\n");
  }
  write_file(folder / "fault.csv", fault);
  const json c = report(folder, "fault.csv rope:dim=16 --length 100", 1)["comparisons"][0];
  CHECK(c["counted_as_equal"].get<double>() == 0x1p-21);
  for (const json& a : c["arrays"]) {
    INFO(a.dump());
    const auto& first = a["first"];
    if (a["variable"] == "frequency") CHECK(first == json({{"pair", 3}}));
    // The angle 0.001 p theta_3 moves cos and sin from position 1 on.
    if (a["variable"] == "cos" || a["variable"] == "sin") CHECK(first == json({{"position", 1}, {"pair", 3}}));
  }
}

TEST_CASE("dimensions of size 1 count nothing, and caches come in three") {
  const Folder folder;
  std::vector<double> frequency, cosine_sine, cosines, sines;
  for (int j = 0; j < 4; ++j) frequency.push_back(angle(1, j));
  for (int p = 0; p < 20; ++p)
    for (int j = 0; j < 4; ++j) {
      const double c = std::cos(angle(p, j)), s = std::sin(angle(p, j));
      cosine_sine.insert(cosine_sine.end(), {c, s}), cosines.push_back(c), sines.push_back(s);
    }
  const auto agreement = [&](const std::string& file, const std::string& columns) {
    const json c = report(folder, file + " rope:dim=8 --length 20", 0)["comparisons"][0];
    CHECK(c["columns"] == (columns.empty() ? json(nullptr) : json(columns)));
    return c["agreement"];
  };
  for (const char* shape : {"(4,)", "(1, 4)", "(4, 1)", "(1, 1, 4)"}) {
    INFO(shape);
    write_file(folder / "v.npy", npy(shape, frequency));
    CHECK(agreement("v.npy", "") == "same");
  }
  for (const char* shape : {"(20, 4)", "(20, 1, 4)", "(1, 20, 4)", "(1, 1, 20, 4)", "(20, 4, 1)"}) {
    INFO(shape);
    write_file(folder / "cos.npy", npy(shape, cosines));
    CHECK(agreement("cos.npy", "cosines, one column a pair") == "same");
  }
  write_file(folder / "alternating.npy", npy("(20, 4, 2)", cosine_sine));
  CHECK(agreement("alternating.npy", "cosines and sines alternating") == "same");
  std::vector<double> both = cosines;
  both.insert(both.end(), sines.begin(), sines.end());
  write_file(folder / "stacked.npy", npy("(2, 20, 4)", both));
  CHECK(agreement("stacked.npy", "cosines before sines") == "same");
  write_file(folder / "three.npy", npy("(4, 10, 4)", both));
  const auto out = folder.run("compare three.npy rope:dim=8");
  CHECK(out.code == 65);
  CHECK(out.err.find("three.npy: shape 4 x 10 x 4: must be a vector, positions x columns, positions x pairs x 2 or 2 x") !=
        std::string::npos);
}

TEST_CASE("a window and a context length that differ are said and decide nothing") {
  const Folder folder;
  const auto mistral = [](int window, int positions) {
    return fmt::format(R"({{"model_type": "mistral", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2,
      "rope_theta": 10000.0, "sliding_window": {}, "max_position_embeddings": {}}})",
                       window, positions);
  };
  write_file(folder / "a.json", mistral(32, 128)), write_file(folder / "b.json", mistral(64, 256));
  const auto out = folder.run("compare a.json b.json");
  CHECK(out.code == 0);
  CHECK(out.out.find("context length: 128 against 256; no part of the verdict\n") != std::string::npos);
  CHECK(out.out.find("sliding window: 32 against 64; no part of the verdict\n") != std::string::npos);
  CHECK(report(folder, "a.json b.json", 0)["layers"]["sliding_window"] == json({{"first", 32}, {"second", 64}}));
  CHECK(folder.run("compare a.json a.json").out.find("against") == std::string::npos);
}
