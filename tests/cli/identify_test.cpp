#include "cli/identified.hpp"
#include "support/catch.hpp"

using nlohmann::json;
using posenc::test::best;
using posenc::test::Folder;
using posenc::test::theta;
using posenc::test::write_npy;

TEST_CASE("a vector of frequencies tells its base, its scaling and the arithmetic behind it") {
  const Folder folder;
  write_npy<float>(folder / "rope.npy", 1, 64,
                   [](int, int j) { return 1.0f / std::pow(500000.0f, static_cast<float>(j) / 64.0f); });
  const json rope = best(folder, "rope.npy");
  CHECK(rope["scheme"] == "rope");
  CHECK(std::stod(rope["values"]["base"].get<std::string>()) == 500000);
  CHECK(rope["stored"] == "float32");
  CHECK(rope["precision"].get<std::string>().starts_with("computed in float32, at most "));

  write_npy<double>(folder / "pi.npy", 1, 32, [](int, int j) { return theta(j, 32, 10000) / 4; });
  const json pi = best(folder, "pi.npy");
  CHECK(pi["encoding"] == "pi:dim=64,base=10000,factor=4");

  // Llama 3.1: kept above four turns within 8192 positions, divided below one, blended between.
  write_npy<double>(folder / "llama.npy", 1, 64, [](int, int j) {
    const double t = theta(j, 64, 500000), turns = 8192 * t / (2 * std::acos(-1.0));
    const double blend = std::clamp((turns - 1) / 3, 0.0, 1.0);
    return (1 - blend) * t / 8 + blend * t;
  });
  const json llama = best(folder, "llama.npy");
  CHECK(llama["scheme"] == "llama3");
  CHECK(llama["values"]["original"] == "8192");
  CHECK(llama["values"]["factor"] == "8");

  // YaRN's ramp over pair numbers 20 .. 46 for 4096 positions (Peng 2023).
  write_npy<double>(folder / "yarn.npy", 1, 64, [](int, int j) {
    const double ramp = std::clamp((j - 20) / 26.0, 0.0, 1.0), t = theta(j, 64, 10000);
    return t / 16 * ramp + t * (1 - ramp);
  });
  const json yarn = best(folder, "yarn.npy");
  CHECK(yarn["scheme"] == "yarn");
  CHECK(yarn["values"]["original"] == "4096");
  CHECK(yarn["values"]["factor"] == "16");
}

TEST_CASE("a table tells its layout, exponent, base and first position") {
  const Folder folder;
  write_npy<double>(folder / "concat.npy", 200, 64, [](int i, int j) {
    const double angle = (i + 3) * theta(j % 32, 32, 10000);
    return j < 32 ? std::sin(angle) : std::cos(angle);
  });
  const json concat = best(folder, "concat.npy");
  CHECK(concat["values"]["layout"] == "concat");
  CHECK(std::stod(concat["values"]["base"].get<std::string>()) == 10000);
  CHECK(concat["start"] == 3);
  CHECK(concat["residual"].get<double>() < 1e-12);

  write_npy<double>(folder / "t2t.npy", 100, 16, [](int i, int j) {
    const double angle = i * std::pow(10000.0, -(j % 8) / 7.0);
    return j < 8 ? std::sin(angle) : std::cos(angle);
  });
  CHECK(best(folder, "t2t.npy")["values"]["exponent"] == "t2t");

  write_npy<double>(folder / "noise.npy", 50, 16, [](int i, int j) { return std::sin(1e4 * std::sin(17.0 * i + 0.3 * j * j)); });
  const json noise = best(folder, "noise.npy", 1);
  CHECK(noise["explains"] == false);
  CHECK(noise["residual"].get<double>() > 0.5);
  CHECK(folder.run("identify noise.npy").out.starts_with("noise.npy: none of those known: no sinusoids; nearest "));
}

TEST_CASE("a cache of cosines and sines, as frameworks keep it") {
  const Folder folder;
  for (const bool sine : {false, true})
    write_npy<float>(folder / (sine ? "sin.npy" : "cos.npy"), 128, 32, [sine](int i, int j) {
      const double angle = i * theta(j % 16, 16, 1e6);
      return static_cast<float>(1.25 * (sine ? std::sin(angle) : std::cos(angle)));
    });
  const auto out = json::parse(folder.run("identify cos.npy sin.npy --json").out);
  CHECK(out["explanations"][0]["layout"] == "half_split, every column twice");
  CHECK(std::stod(out["explanations"][0]["values"]["base"].get<std::string>()) == 1e6);
  CHECK(out["amplitude"].get<double>() == Approx(1.25).epsilon(1e-6));
}

TEST_CASE("what the program wrote is recognised, and what is no array is refused in one line") {
  const Folder folder;
  REQUIRE(folder.run("encode ntk:factor=4 sinusoidal:dim=32,base=500 --length 64 -o x.h5").code == 0);
  const json ntk = best(folder, "x.h5#/encodings/ntk/frequency");
  CHECK(ntk["encoding"] == "ntk:dim=128,base=10000,factor=4");
  // One base is all there is to see, 10000 * 4^(128/126): rope's with it is the same.
  std::string rope;
  for (const auto& word : ntk["also"])
    if (word.get<std::string>().starts_with("rope:dim=128,base=")) rope = word;
  REQUIRE(!rope.empty());
  CHECK(std::stod(rope.substr(18)) == Approx(10000 * std::pow(4, 128.0 / 126)).epsilon(1e-12));
  CHECK(best(folder, "x.h5#/encodings/sinusoidal/table")["encoding"] == "sinusoidal:dim=32,base=500,layout=interleaved");
  for (const char* arguments : {"identify", "identify missing.npy", "identify x.h5#/nowhere",
                                "identify x.h5#/encodings/ntk/cos x.h5#/encodings/ntk/frequency"}) {
    const auto out = folder.run(arguments);
    INFO(arguments << out.err);
    CHECK(out.code >= 64);
    CHECK(posenc::test::lines(out.err) <= 2);
    CHECK(out.out.empty());
  }
}
