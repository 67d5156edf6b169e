// Help, version, usage and lists: what the program says about itself.
#include "app/commands/registry.hpp"
#include "cli/program.hpp"
#include "schemes/registry.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace posenc;
using nlohmann::json;
using posenc::test::Folder;
using posenc::test::lines;

namespace {
bool contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("every command has a help text with usage, every option of its own and an example") {
  const Folder folder;
  for (const auto& command : app::all_commands()) {
    const std::string name(command->info().name);
    DYNAMIC_SECTION(name) {
      const auto h = folder.run(name + " --help");
      CHECK(h.code == 0);
      CHECK(h.err.empty());
      CHECK(contains(h.out, "Usage: posenc " + name));
      CHECK(contains(h.out, "Examples"));
      for (const auto& group : command->options())
        for (const Field& f : group.fields) CHECK(contains(h.out, f.name));
      CHECK(folder.run(name + " -h").out == h.out);
    }
  }
}

TEST_CASE("the program's help names every command and exit code") {
  const Folder folder;
  const auto h = folder.run("--help");
  CHECK(h.code == 0);
  for (const auto& command : app::all_commands()) CHECK(contains(h.out, command->info().name));
  for (const char* code : {"64", "65", "66", "70", "73", "74", "75", "130"}) CHECK(contains(h.out, code));
}

TEST_CASE("--version names the version, commit, compiler and libraries") {
  const Folder folder;
  const auto v = folder.run("--version");
  CHECK(v.code == 0);
  for (const char* word : {"posenc ", "commit", "compiler", "hdf5", "openmp", "instruction_set"}) CHECK(contains(v.out, word));
  const auto j = json::parse(folder.run("--version --json").out);
  CHECK(j.contains("version"));
  CHECK(j.contains("hdf5_compiled"));
}

TEST_CASE("--json-usage declares commands, options and schemes") {
  const Folder folder;
  const auto j = json::parse(folder.run("--json-usage").out);
  CHECK(j["commands"].size() == app::all_commands().size());
  CHECK(j["schemes"].size() == schemes::registry().names().size());
  const auto one = json::parse(folder.run("decay --json-usage").out);
  CHECK(one["name"] == "decay");
  bool length = false;
  for (const auto& o : one["options"])
    if (o["name"] == "length") {
      length = true;
      CHECK(o["default"] == 4096);
      CHECK(o["range"]["minimum"] == 1);
      CHECK(o["option"] == "--length");
    }
  CHECK(length);
}

TEST_CASE("schemes lists every scheme and describes one") {
  const Folder folder;
  const auto all = folder.run("schemes");
  CHECK(all.code == 0);
  for (const auto name : schemes::registry().names()) {
    CHECK(contains(all.out, name));
    const auto one = folder.run("schemes " + std::string(name));
    CHECK(one.code == 0);
    CHECK(contains(one.out, "Source:"));
    CHECK(contains(one.out, "original="));
  }
  const auto j = json::parse(folder.run("schemes --json").out);
  CHECK(j["schemes"].size() == schemes::registry().names().size());
  CHECK(json::parse(folder.run("schemes rope --json").out)["fields"][0]["name"] == "dim");
}

TEST_CASE("analyses lists every variable with its unit and meaning") {
  const Folder folder;
  CHECK(contains(folder.run("analyses").out, "decay"));
  const auto one = folder.run("analyses decay");
  CHECK(one.code == 0);
  CHECK(contains(one.out, "score(lag)"));
  const auto j = json::parse(folder.run("analyses --json").out);
  for (const auto& analysis : j["analyses"]) {
    CHECK(!analysis["variables"].empty());
    for (const auto& v : analysis["variables"]) {
      INFO(analysis["name"] << " " << v["name"]);
      CHECK(!v["unit"].get<std::string>().empty());
      CHECK(!v["about"].get<std::string>().empty());
      CHECK(!v["schemes"].empty());
    }
  }
}

TEST_CASE("options may stand anywhere, numbers may have suffixes") {
  const Folder folder;
  const auto a = folder.run("--length 64 decay rope --dim 16 alibi --json");
  const auto b = folder.run("decay --json rope:dim=16 --dim=16 alibi --length=0.0625k");
  CHECK(a.code == 64);  // --length belongs to a command
  CHECK(b.code == 0);
  const auto c = folder.run("-q decay rope --dim 16 alibi --length 64 --json");
  CHECK(c.out == b.out);
  const auto d = folder.run("decay --length 64 --dim 16 --json -- rope alibi");
  CHECK(d.out == b.out);
}
