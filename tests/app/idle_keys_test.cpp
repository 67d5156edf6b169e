#include "app/idle_keys.hpp"

#include "app/data_folder.hpp"
#include "app/encodings.hpp"
#include "app/subjects.hpp"
#include "core/error.hpp"
#include "schemes/registry.hpp"
#include "sources/model_file.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <algorithm>
#include <filesystem>

using namespace posenc;
using namespace posenc::app;

namespace {

std::string message(const std::string& word) {
  Overrides none;
  try {
    expand({word}, none);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("a description that begins with what its key needs") {
  const auto needs = [](std::string_view about) {
    double slot = 0;
    std::string out;
    for (const KeyNeed& n : needs_of({"key", "1", about, &slot}))
      out += (n.kind == KeyNeed::Kind::one_of ? ""
              : n.kind == KeyNeed::Kind::with ? "with "
                                              : "without ") +
             std::string(n.key) + "=" + std::string(n.values) + ";";
    return out;
  };
  CHECK(needs("form=a|b: text") == "form=a|b;");
  CHECK(needs("form=a, with x-2, without y: text: more") == "form=a;with x-2=;without y=;");
  CHECK(needs("row that the key meets: delta") == "");
  CHECK(needs("with two words: text") == "");
  CHECK(needs("with x, or else: text") == "");
  CHECK(needs("form=a b: text") == "");
  CHECK(needs("without colon") == "");
}

TEST_CASE("the keys and values that any scheme's keys need are there") {
  std::size_t seen = 0;
  for (const auto name : schemes::registry().names()) {
    const auto scheme = schemes::registry().make(name);
    Fields fields = scheme->fields();
    for (const Field& f : scheme->fields())
      for (const KeyNeed& n : needs_of(f)) {
        INFO(name << ": " << f.name << ": " << f.about);
        ++seen;
        Field* other = find(fields, n.key);
        REQUIRE(other != nullptr);
        CHECK(n.key != f.name);
        for (std::string_view rest = n.values; !rest.empty();) {
          const auto bar = rest.find('|');
          CHECK_NOTHROW(set(name, *other, rest.substr(0, bar)));
          rest = bar == std::string_view::npos ? std::string_view() : rest.substr(bar + 1);
        }
      }
  }
  CHECK(seen > 60);
}

TEST_CASE("a key without effect beside the others is refused in one line") {
  CHECK(message("rope:frequency=0.1") == "rope: frequency = 0.1: needs frequencies=single");
  CHECK(message("rope:frequency=0.1,frequencies=single") == "accepted");
  CHECK(message("rope:frequencies=single,base=500") == "rope: base = 500: needs frequencies=geometric");
  CHECK(message("yarn:partial=0.5,rotary-dim=64") == "yarn: partial = 0.5: has no effect beside rotary-dim");
  CHECK(message("shaw:base=500") == "shaw: base = 500: needs vectors=sinusoid");
  CHECK(message("shaw:base=500,vectors=sinusoid") == "accepted");
  CHECK(message("resonance:factor=4") == "resonance: factor = 4: needs scaling=yarn|ntk|linear");
  CHECK(message("resonance:factor=4,scaling=ntk") == "accepted");
  CHECK(message("resonance:scaling=yarn,ramp=paper,truncate=false") == "resonance: truncate = false: needs ramp=code");
  CHECK(message("nope:floor-scale=64") == "nope: floor-scale = 64: needs attn-scale");
  CHECK(message("nope:floor-scale=64,attn-scale=0") == "nope: floor-scale = 64: needs attn-scale");
  CHECK(message("nope:floor-scale=64,attn-scale=0.1") == "accepted");
  CHECK(message("learned:table=any.npy,std=1") == "learned: std = 1: has no effect beside table");
  CHECK(message("deberta:max-distance=64") == "deberta: max-distance = 64: needs buckets");
}

TEST_CASE("values for every encoding reach those where they have an effect; of presets, one layer type is enough") {
  Overrides base;
  base.base = 500;
  std::vector<model::EncodingSpec> specs{{"shaw", "", {}}, {"rope", "", {}}, {"shaw", "", {{"vectors", "sinusoid"}}}};
  CHECK(apply(base, specs).empty());
  CHECK(specs[0].values.empty());
  CHECK(specs[1].values.back().second == "500");
  CHECK(specs[2].values.back().second == "500");
  specs.resize(1);
  CHECK(apply(base, specs) == std::vector<std::string>{"base"});
  CHECK(message("@gemma-3-4b-it:base=500") == "accepted");
  CHECK(message("@gpt2:std=1") == "accepted");
  CHECK(message("@llama-3.1-8b:partial=0.5,rotary-dim=64") == "llama3: partial = 0.5: has no effect beside rotary-dim");
}

// So that the command a run prints is accepted again.
TEST_CASE("what the files of models set has an effect") {
  std::size_t seen = 0;
  for (const auto& file : std::filesystem::directory_iterator(data_folder() + "/models")) {
    if (file.path().extension() != ".json" || file.path().stem() == "facts") continue;
    INFO(file.path());
    for (const auto& spec : sources::read_encodings(file.path(), "", "")) {
      for (const auto& [key, value] : spec.values)
        if (const std::string why = idle_reason(spec, key); !why.empty()) FAIL_CHECK(spec.scheme << " " << key << ": " << why);
      ++seen;
    }
  }
  CHECK(seen > 80);
}

// What the descriptions claim, on arrays that show it.
TEST_CASE("a key that is refused changes no array, and one that is not does") {
  const auto table = [](const std::string& encoding, const char* variable) {
    return test::run("encodings", encoding, {{"length", "32"}, {"at", "128"}, {"dim", "16"}}).data(variable);
  };
  CHECK(table("rope", "frequency") == table("rope:frequency=0.1", "frequency"));
  CHECK(table("rope:frequencies=single", "frequency") != table("rope:frequencies=single,frequency=0.1", "frequency"));
  CHECK(table("rope:rotary-dim=8", "frequency") == table("rope:rotary-dim=8,partial=0.25", "frequency"));
  CHECK(table("rope", "frequency") != table("rope:partial=0.25", "frequency"));
  CHECK(table("resonance", "frequency") == table("resonance:factor=3", "frequency"));
  CHECK(table("resonance:scaling=linear", "frequency") != table("resonance:scaling=linear,factor=3", "frequency"));
  CHECK(table("deberta", "query_row") == table("deberta:max-distance=40", "query_row"));
  CHECK(table("deberta:buckets=8", "query_row") != table("deberta:buckets=8,max-distance=40", "query_row"));
  CHECK(table("ntk:factor=4", "frequency") == table("ntk:factor=4,exponent=2", "frequency"));
  CHECK(table("ntk:factor=4,form=mixed", "frequency") != table("ntk:factor=4,form=mixed,exponent=2", "frequency"));
}
