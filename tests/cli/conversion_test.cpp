// config.json against the GGUF files that llama.cpp's converter makes of it, right and wrong (tools/reference/gguf_models.py).
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;

namespace {
const std::string files = POSENC_TEST_DATA "/gguf/";

bool apart(const json& report, const std::string& variable) {
  for (const auto& c : report["comparisons"])
    for (const auto& a : c["arrays"])
      if (a["variable"] == variable && !a["first"].is_null()) return true;
  return false;
}
}  // namespace

TEST_CASE("one command checks a conversion") {
  const Folder folder;
  const json cases = json::parse(posenc::test::read_file(files + "cases.json"))["cases"];
  REQUIRE(cases.size() >= 20);
  for (const auto& c : cases) {
    const std::string pair = "'" + files + c["config"].get<std::string>() + "' '" + files + c["gguf"].get<std::string>() + "'";
    const auto out = folder.run("compare " + pair + " --json"), text = folder.run("compare " + pair);
    INFO(pair << "\n" << text.out << out.err);
    CHECK(out.code == c["exit"]);
    CHECK(text.code == c["exit"]);
    const json report = json::parse(out.out);
    const bool differ = std::any_of(report["comparisons"].begin(), report["comparisons"].end(),
                                    [](const json& one) { return one["agreement"] == "different"; }) ||
                        report["layers"]["agreement"] == "different";
    CHECK(differ == (c["exit"] == 1));
    const std::string why = c["why"];
    if (c["exit"] == 1 && why.find(' ') == std::string::npos)
      CHECK(apart(report, why));  // an array
    else if (c["exit"] == 1)
      CHECK(text.out.find(why) != std::string::npos);
  }
}

TEST_CASE("of a permuted conversion the order of channels is found") {
  const Folder folder;
  const auto out = folder.run("compare '" + files + "llama.json' '" + files + "llama.gguf' --json");
  const json c = json::parse(out.out)["comparisons"][0];
  CHECK(c["agreement"] == "same kernel in another layout");
  // ggml-org/llama.cpp conversion: row i of the halves goes to 2i, row i + 8 to 2i + 1.
  for (int i = 0; i < 8; ++i) {
    CHECK(c["channel_order"][i] == 2 * i);
    CHECK(c["channel_order"][i + 8] == 2 * i + 1);
  }
}

TEST_CASE("lists stored in float32 agree to their rounding and not beyond") {
  const Folder folder;
  const auto pair = "'" + files + "longrope.json' '" + files + "longrope.gguf'";
  const json report = json::parse(folder.run("compare " + pair + " --json").out);
  REQUIRE(report["comparisons"].size() == 2);
  for (const auto& c : report["comparisons"]) {
    CHECK(c["agreement"] == "same");
    CHECK(c["rounding"].get<double>() > 0);
    CHECK(c["rounding"].get<double>() <= 0x1p-24);  // one rounding to float32
  }
}
