#include "app/provenance.hpp"

#include "app/digest.hpp"
#include "app/encodings.hpp"
#include "app/subjects.hpp"
#include "sources/loader.hpp"
#include "sources/temporary_file.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace posenc;
using namespace posenc::app;
using nlohmann::json;

namespace {

Work work(const std::vector<std::string>& words, const model::Request& request = {}) {
  Overrides none;
  Work out{"encode", request, {}, {fresh_analysis("encodings")}, {}};
  for (const auto& spec : expand(words, none).specs) out.entries.push_back(resolve(spec, request, sources::FileLoader{}));
  return out;
}

const AttributeValue* find(const std::vector<Attribute>& all, const std::string& name) {
  for (const auto& a : all)
    if (a.name == name) return &a.value;
  return nullptr;
}

}  // namespace

TEST_CASE("words are quoted so that a shell reads them back") {
  CHECK(quoted({"posenc", "run", "rope:dim=64"}) == "posenc run rope:dim=64");
  CHECK(quoted({"a b", "", "it's", "$x"}) == "'a b' '' 'it'\\''s' '$x'");
}

TEST_CASE("the canonical command comes from values: defaults are left out, numbers in their shortest form") {
  model::Request request;
  request.length = 8192;
  CHECK(canonical_command(work({"rope:base=5e5,dim=128", "alibi:heads=4,label=four"}, request)) ==
        "posenc encode rope:base=5e+05 alibi:heads=4,label=four --length=8192");
  CHECK(canonical_command(work({"nope"})) == "posenc encode nope");
}

TEST_CASE("the configuration holds every value, derived defaults too") {
  const json c = json::parse(configuration(work({"rope:base=5e5"})));
  CHECK(c["command"] == "encode");
  CHECK(c["encodings"][0]["scheme"] == "rope");
  CHECK(c["encodings"][0]["label"] == "rope");
  CHECK(c["encodings"][0]["values"]["base"] == 500000);
  CHECK(c["encodings"][0]["values"]["dim"] == 128);
  CHECK(c["encodings"][0]["values"]["original"] == 4096);
  CHECK(c["request"]["length"] == 4096);
  CHECK(c["request"]["at"] == 4096);
  CHECK(c["request"]["lag-horizon"] == 65536);
}

TEST_CASE("equal work has an equal configuration, however it was written") {
  CHECK(configuration(work({"rope:base=500000"})) == configuration(work({"rope:base=5e5,dim=128"})));
  CHECK(configuration(work({"rope"})) != configuration(work({"rope:base=5e5"})));
}

TEST_CASE("a reproducible file tells nothing of the time, place and way it was made") {
  const Work w = work({"rope"});
  Globals globals;
  globals.command_line = "posenc encode rope -o secret.h5 --threads 2";
  OutputChoice output{.output = "secret.h5"};
  const auto plain = root_attributes(w, output, globals);
  CHECK(std::get<std::string>(*find(plain, "history")).find("Z posenc encode rope -o secret.h5 --threads 2") !=
        std::string::npos);
  CHECK(find(plain, "host"));
  CHECK(find(plain, "threads"));
  output.reproducible = true;
  const auto bare = root_attributes(w, output, globals);
  CHECK(std::get<std::string>(*find(bare, "history")) == "posenc encode rope");
  CHECK_FALSE(find(bare, "host"));
  CHECK_FALSE(find(bare, "threads"));
  for (const auto& a : bare)
    if (const auto* s = std::get_if<std::string>(&a.value)) CHECK(s->find("secret") == std::string::npos);
}

TEST_CASE("the root says how to read and repeat the file") {
  const Work w = work({"rope"});
  const auto all = root_attributes(w, {}, {});
  for (const char* name :
       {"Conventions", "title", "history", "posenc_version", "commit", "format_version", "configuration", "configuration_sha256",
        "seed", "sample_seed", "generator", "instruction_set", "hdf5_version", "compiler"})
    CHECK(find(all, name));
  CHECK(std::get<std::string>(*find(all, "configuration_sha256")) == sha256(std::get<std::string>(*find(all, "configuration"))));
  CHECK(std::get<std::string>(*find(all, "Conventions")) == "CF-1.10");
}

TEST_CASE("a group tells its scheme, every field, the training length and the request") {
  const Work w = work({"yarn:factor=4,original=8192"});
  const Schema s = group_schema(w, w.entries[0], *w.analyses[0]);
  CHECK(std::get<std::string>(*find(s.attributes, "scheme")) == "yarn");
  CHECK(std::get<double>(*find(s.attributes, "factor")) == 4);
  CHECK(std::get<std::int64_t>(*find(s.attributes, "original")) == 8192);
  CHECK(std::get<std::int64_t>(*find(s.attributes, "train_length")) == 8192);
  CHECK(std::get<std::int64_t>(*find(s.attributes, "length")) == 4096);
  CHECK(std::get<std::int64_t>(*find(s.attributes, "lag_horizon")) == 65536);
}

TEST_CASE("a key without effect is neither in the attributes nor in the configuration") {
  const test::TemporaryFile file("f.csv", "1,0.25,0.5,0.125\n");
  const Work w = work({file.path()});
  const Schema s = group_schema(w, w.entries[0], *w.analyses[0]);
  for (const char* key : {"base", "frequencies", "frequency"}) {
    INFO(key);
    CHECK_FALSE(find(s.attributes, key));
    CHECK_FALSE(json::parse(configuration(w))["encodings"][0]["values"].contains(key));
  }
  CHECK(std::get<std::string>(*find(s.attributes, "inv_freq")) == file.path());
  CHECK(std::get<std::int64_t>(*find(s.attributes, "rotary_dim")) == 8);
  const Work plain = work({"rope"});
  const Schema p = group_schema(plain, plain.entries[0], *plain.analyses[0]);
  CHECK(find(p.attributes, "base"));
  CHECK_FALSE(find(p.attributes, "frequency"));
}

TEST_CASE("the configuration tells files of one name apart by their numbers") {
  const auto of = [](const std::string& text) {
    const test::TemporaryFile file("f.csv", text);
    return json::parse(configuration(work({file.path()})))["encodings"][0]["sha256"];
  };
  // printf of the two float64: sha256sum of 00 00 00 00 00 00 f0 3f 00 00 00 00 00 00 d0 3f.
  const json quarter = of("1,0.25\n");
  CHECK(quarter.begin().value() == "82d5182c90ecefa00f9e9d91f02ad8be6d9d082f377bd1f96c00f010bc053e36");
  CHECK(of("1.0,25e-2\n").begin().value() == quarter.begin().value());
  CHECK(of("1,0.125\n").begin().value() != quarter.begin().value());
  CHECK_FALSE(json::parse(configuration(work({"rope"})))["encodings"][0].contains("sha256"));
}
