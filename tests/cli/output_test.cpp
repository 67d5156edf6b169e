// Output files as a user gets them: groups, labels, provenance, equal bytes, JSON, dry runs.
#include "cli/program.hpp"
#include "io/input_file.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;
using posenc::test::Folder;
using posenc::test::lines;
using posenc::test::read_file;
using posenc::test::write_file;

namespace {

AttributeValue attribute(const io::InputFile& file, const std::string& object, const std::string& name) {
  for (const auto& a : file.attributes(object))
    if (a.name == name) return a.value;
  FAIL("no attribute " << name << " at " << object);
  return {};
}

std::string word(const io::InputFile& file, const std::string& object, const std::string& name) {
  return std::get<std::string>(attribute(file, object, name));
}

bool has_group(const io::InputFile& file, const std::string& group) {
  const auto all = file.groups();
  return std::find(all.begin(), all.end(), group) != all.end();
}

}  // namespace

TEST_CASE("run writes every analysis of every encoding and a summary") {
  const Folder folder;
  const auto r =
      folder.run("run rope:dim=16 alibi:dim=16 nope:dim=16 --length 64 -o out.h5 --lag-horizon 256 --position-horizon 1k");
  INFO(r.err);
  REQUIRE(r.code == 0);
  CHECK(r.err.empty());
  CHECK(lines(r.out) == 4);  // header and three rows
  const io::InputFile file((folder / "out.h5").string());
  for (const char* group : {"/encodings/rope", "/encodings/alibi", "/encodings/nope", "/decay/rope", "/decay/alibi", "/summary"})
    CHECK(has_group(file, group));
  CHECK(file.read_text("/summary/encoding", 0, 3) == std::vector<std::string>{"rope", "alibi", "nope"});
  CHECK(word(file, "/", "Conventions") == "CF-1.10");
  CHECK(word(file, "/", "history").find("posenc run rope:dim=16 alibi:dim=16 nope:dim=16 --length 64 -o out.h5") !=
        std::string::npos);
  CHECK(word(file, "/decay/rope", "scheme") == "rope");
  CHECK(std::get<std::int64_t>(attribute(file, "/decay/rope", "dim")) == 16);
  CHECK(folder.listing() == "out.h5");
}

TEST_CASE("--no-tables leaves the arrays out") {
  const Folder folder;
  REQUIRE(folder.run("run rope:dim=16 --length 32 --no-tables -o out.h5 --position-horizon 1k").code == 0);
  const io::InputFile file((folder / "out.h5").string());
  CHECK_FALSE(has_group(file, "/encodings"));
  CHECK(has_group(file, "/decay/rope"));
}

TEST_CASE("equal runs are equal files, whatever the threads, the name and the way it was written") {
  const Folder folder;
  const std::string work =
      " rope:dim=32 learned:dim=32 alibi:dim=32 --length 500 --lag-horizon 2k --position-horizon 1k --reproducible";
  REQUIRE(folder.run("run" + work + " --threads 1 -o one.h5").code == 0);
  REQUIRE(folder.run("run" + work + " --threads 2 -o two.h5").code == 0);
  REQUIRE(folder
              .run("run --length=500 --threads 3 rope learned alibi --dim 32 -q --lag-horizon 2048 --position-horizon 1024 "
                   "--reproducible -o other.h5")
              .code == 0);
  const std::string bytes = read_file(folder / "one.h5");
  CHECK(bytes.size() > 100000);
  CHECK(bytes == read_file(folder / "two.h5"));
  CHECK(bytes == read_file(folder / "other.h5"));
  REQUIRE(folder.run("run" + work + " -o - >piped.h5").code == 0);
  CHECK(folder.run("show piped.h5").code == 0);
}

TEST_CASE("the canonical command of a reproducible file makes the same file") {
  const Folder folder;
  REQUIRE(folder
              .run("encode rope:base=5e5,label=x alibi yarn:factor=4,original=1k --dim 32 --length 100 --start 1M --dtype f32 "
                   "--reproducible -o a.h5")
              .code == 0);
  std::string history;
  {
    const io::InputFile file((folder / "a.h5").string());
    history = word(file, "/", "history");
  }
  REQUIRE(history.starts_with("posenc encode "));
  REQUIRE(folder.run(history.substr(7) + " --reproducible -o b.h5").code == 0);
  CHECK(read_file(folder / "a.h5") == read_file(folder / "b.h5"));
}

TEST_CASE("labels: automatic, repeated, explicit, twice the same scheme") {
  const Folder folder;
  REQUIRE(folder.run("encode rope rope:base=500 alibi:label=rope_2 rope:label=mine --dim 16 --length 8 -o out.h5").code == 0);
  const io::InputFile file((folder / "out.h5").string());
  CHECK(word(file, "/encodings/rope", "scheme") == "rope");
  CHECK(word(file, "/encodings/rope_2", "scheme") == "alibi");
  CHECK(std::get<double>(attribute(file, "/encodings/rope_3", "base")) == 500);
  CHECK(word(file, "/encodings/mine", "encoding") == "mine");
}

TEST_CASE("overrides reach encodings that do not set the field themselves") {
  const Folder folder;
  REQUIRE(folder.run("encode rope rope:dim=8,label=own alibi --dim 16 --heads 4 --base 500 --length 8 -o out.h5").code == 0);
  const io::InputFile file((folder / "out.h5").string());
  const auto integer = [&](const char* group, const char* name) { return std::get<std::int64_t>(attribute(file, group, name)); };
  CHECK(integer("/encodings/rope", "dim") == 16);
  CHECK(integer("/encodings/own", "dim") == 8);
  CHECK(integer("/encodings/alibi", "heads") == 4);
  CHECK(std::get<double>(attribute(file, "/encodings/own", "base")) == 500);
}

TEST_CASE("a model's file and a preset become encodings") {
  const Folder folder;
  std::filesystem::create_directory(folder / "my-model");
  write_file(
      folder / "my-model/config.json",
      R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 2, "rope_theta": 500000, "max_position_embeddings": 512})");
  const auto r = folder.run(
      "encode my-model/config.json my-model/config.json:base=100,label=changed @llama-3.1-8b rope --dim 16 --length 32 -o "
      "out.h5");
  INFO(r.err);
  REQUIRE(r.code == 0);
  CHECK(r.err.find("note: my-model: training length 512, computed to 32") != std::string::npos);
  const io::InputFile file((folder / "out.h5").string());
  CHECK(std::get<double>(attribute(file, "/encodings/my-model", "base")) == 500000);
  CHECK(std::get<std::int64_t>(attribute(file, "/encodings/my-model", "dim")) == 32);
  CHECK(std::get<std::int64_t>(attribute(file, "/encodings/my-model", "train_length")) == 512);
  CHECK(std::get<double>(attribute(file, "/encodings/changed", "base")) == 100);
  CHECK(std::get<std::int64_t>(attribute(file, "/encodings/llama-3.1-8b", "train_length")) == 8192);
}

TEST_CASE("--dry-run writes nothing and says what would be") {
  const Folder folder;
  const auto t = folder.run("run rope alibi --dim 16 --length 64 -o out.h5 --dry-run --lag-horizon 128 --position-horizon 1k");
  CHECK(t.code == 0);
  CHECK(folder.listing().empty());
  for (const char* part : {"/encodings/rope", "/decay/alibi", "/summary", "peak memory", "time", "free space", "data"})
    CHECK(t.out.find(part) != std::string::npos);
  const auto j = json::parse(folder.run("encode rope --dim 16 --length 64 -o out.h5 --dry-run --json").out);
  CHECK(j["configuration"]["encodings"][0]["values"]["dim"] == 16);
  CHECK(j["groups"][0]["path"] == "/encodings/rope");
  // cos and sin (64 x 8), position (64), pair, frequency and what else is small: in float64
  CHECK(j["groups"][0]["bytes"].get<double>() >= 2 * 64 * 8 * 8);
  CHECK(j["groups"][0]["bytes"].get<double>() < 3 * 64 * 8 * 8);
  CHECK(j["free_bytes"].get<double>() > 0);
  CHECK(folder.listing().empty());
}

TEST_CASE("--json prints one object with every scalar measure") {
  const Folder folder;
  const auto r = folder.run("decay rope alibi:heads=4 --dim 16 --length 64 --json");
  CHECK(r.err.empty());
  const auto j = json::parse(r.out);
  CHECK(j["command"] == "decay");
  CHECK(j["output"].is_null());
  CHECK(j["encodings"][1]["label"] == "alibi");
  CHECK(j["encodings"][0]["measures"]["decay"].contains("first_increase"));
  CHECK(j["encodings"][1]["measures"]["decay"]["log_slope"]["values"].size() == 4);
  CHECK(folder.listing().empty());
}

TEST_CASE("--force replaces, a failed run does not") {
  const Folder folder;
  write_file(folder / "out.h5", "old");
  CHECK(folder.run("encode rope --dim 16 --length 8 -o out.h5").code == 73);
  CHECK(read_file(folder / "out.h5") == "old");
  CHECK(folder.run("encode rope --dim 16 --length 8 -o out.h5 --force").code == 0);
  CHECK(read_file(folder / "out.h5").size() > 1000);
}

TEST_CASE("show prints the summary, a group and a variable") {
  const Folder folder;
  REQUIRE(folder.run("run rope --dim 16 --length 64 -o out.h5 --lag-horizon 128 --position-horizon 1k").code == 0);
  const auto file = folder.run("show out.h5");
  CHECK(file.code == 0);
  CHECK(file.out.find("train_length") != std::string::npos);
  CHECK(file.out.find("/decay/rope") != std::string::npos);
  const auto group = folder.run("show out.h5 decay/rope");
  CHECK(group.out.find("score(lag=64)") != std::string::npos);
  const auto variable = folder.run("show out.h5 decay/rope score --rows 3");
  CHECK(lines(variable.out) == 6);  // what it is, header, three rows, how many there are
  CHECK(variable.out.find("\nlag ") != std::string::npos);
  CHECK(variable.out.find("\n0 ") != std::string::npos);
  CHECK(variable.out.find("... 3 of 64 (--rows 0: all)\n") != std::string::npos);
  const auto j = json::parse(folder.run("show out.h5 decay/rope score --rows 0 --json").out);
  CHECK(j["values"].size() == 64);
  CHECK(j["values"][0] == 1.0);
  CHECK(j["coordinates"]["lag"].size() == 64);
  CHECK(json::parse(folder.run("show out.h5 --json").out)["groups"].size() >= 3);
  const auto near = folder.run("show out.h5 decay/roep");
  CHECK(near.code == 65);
  CHECK(near.err.find("did you mean '/decay/rope'?") != std::string::npos);
}

TEST_CASE("a signal ends the run with its code and leaves nothing") {
  const Folder folder;
  for (const auto& [signal, code] : {std::pair{"INT", 130}, std::pair{"TERM", 143}}) {
    const auto r =
        folder.run("encode rope --length 1M --dim 512 -o big.h5", std::string("timeout --preserve-status -s ") + signal + " 0.3");
    CHECK(r.code == code);
    CHECK(lines(r.err) == 1);
    CHECK(folder.listing().empty());
  }
}

TEST_CASE("quiet prints nothing, verbose says what took how long") {
  const Folder folder;
  const auto q = folder.run("decay rope:original=32 --dim 16 --length 64 -o a.h5 -q");
  CHECK(q.out.empty());
  CHECK(q.err.empty());
  const auto v = folder.run("decay rope --dim 16 --length 64 -o b.h5 -v");
  CHECK(v.err.find("/decay/rope: ") != std::string::npos);
  const auto p = folder.run("decay rope --dim 16 --length 64 -o c.h5 --progress always");
  CHECK(p.err == "[1/1] /decay/rope\n");
}
