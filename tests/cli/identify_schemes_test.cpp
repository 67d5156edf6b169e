// What the program's own encodings write is recognised: a round trip over every scheme that has frequencies of its own.
#include "cli/program.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using nlohmann::json;
using posenc::test::Folder;

namespace {

/// The explanation that names the encoding itself, be it the best or one of the other words for the same numbers.
bool named(const json& found, const std::string& word) {
  const json& best = found["explanations"][0];
  const json& also = best["also"];
  return best["encoding"] == word || std::find(also.begin(), also.end(), json(word)) != also.end();
}

const std::vector<std::string> encodings{
    "rope:dim=64,base=10000",
    "rope:dim=64,base=123456",
    "abf:dim=64,base=500000",
    "pi:dim=64,base=10000,factor=4",
    "pi:dim=64,base=500000,factor=2.5",
    "ntk:dim=64,base=10000,factor=4",
    "ntk:dim=64,base=500000,factor=16",
    "ntk:dim=64,base=10000,factor=4,form=fixed",
    "ntk:dim=64,base=10000,factor=8,form=mixed",
    "dynamic-ntk:dim=64,base=10000,factor=1000,rule=alpha",
    "ntk-by-parts:dim=64,base=10000,factor=4,original=4096",
    "yarn:dim=64,base=10000,factor=4,original=4096",
    "yarn:dim=64,base=10000,factor=4,original=5000,truncate=false",
    "yarn:dim=128,base=1000000,factor=4,original=32768,beta-fast=64",
    "yarn:dim=128,base=10000,factor=8,original=4096,ramp=paper",
    "llama3:dim=128,base=500000,factor=8,original=8192",
    "llama3:dim=128,base=500000,factor=8,original=10000",
    "longrope:dim=16,base=10000,factors=1/1.05/1.5/2/8/16.5/32/64,attention-factor=1",
    "proportional:dim=64,base=1000000,partial=0.25,factor=8",
    "p-rope:dim=64,base=10000,keep=0.75",
    "hope-cut:dim=64,base=10000,original=4096",
    "resonance:dim=64,base=10000",
    "resonance:dim=64,base=10000,scaling=linear,factor=4",
    "resonance:dim=64,base=10000,scaling=ntk,factor=4",
    "resonance:dim=64,base=10000,factor=4,original=4096,scaling=yarn",
};

}  // namespace

TEST_CASE("cosines and sines that the program wrote name the encoding that wrote them") {
  const Folder folder;
  for (const std::string& word : encodings) {
    REQUIRE(folder.run("encode " + word + ",label=x --length 1024 --at 1024 -o x.h5 --force").code == 0);
    const auto out = folder.run("identify x.h5#/encodings/x/cos x.h5#/encodings/x/sin --json");
    INFO(word << "\n" << out.out << out.err);
    REQUIRE(out.code == 0);
    CHECK(named(json::parse(out.out), word));
  }
}

TEST_CASE("dynamic NTK is named with the length that it was used at") {
  const Folder folder;
  REQUIRE(folder.run("encode dynamic-ntk:dim=64,factor=2,original=4096 --length 64 --at 8192 -o x.h5").code == 0);
  const json found = json::parse(folder.run("identify x.h5#/encodings/dynamic-ntk/frequency --json").out);
  CHECK(named(found, "ntk:dim=64,base=10000,factor=3"));  // alpha = 2 * 2 - 1
  CHECK(named(found, "dynamic-ntk:dim=64,base=10000,factor=2,original=4096 at 8192 tokens"));
}

TEST_CASE("sinusoidal tables that the program wrote name the encoding that wrote them") {
  const Folder folder;
  for (const std::string word :
       {"sinusoidal:dim=32,base=10000,layout=interleaved", "sinusoidal:dim=32,base=500,layout=concat",
        "sinusoidal:dim=32,base=10000,layout=concat,exponent=t2t", "sinusoidal:dim=33,base=10000,layout=interleaved",
        "sinusoidal:dim=33,base=10000,layout=concat"}) {
    REQUIRE(folder.run("encode " + word + ",label=x --length 200 -o x.h5 --force").code == 0);
    const auto out = folder.run("identify x.h5#/encodings/x/table --json");
    INFO(word << "\n" << out.out << out.err);
    REQUIRE(out.code == 0);
    CHECK(named(json::parse(out.out), word));
  }
}
