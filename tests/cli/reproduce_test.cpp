#include "cli/program.hpp"
#include "support/catch.hpp"

#include <nlohmann/json.hpp>

using namespace posenc::test;
using nlohmann::json;

TEST_CASE("reproduce prints theirs, ours, tolerance and verdict; as text, as JSON, as Markdown") {
  const Folder folder;
  const Outcome text = folder.run("reproduce roformer");
  CHECK(text.code == 0);
  CHECK(text.err.empty());
  CHECK(text.out.find("number") != std::string::npos);
  CHECK(text.out.find("6.548179  6.548179     6.5e-12      met") != std::string::npos);
  CHECK(text.out.find("0 failed") != std::string::npos);
  const Outcome machine = folder.run("reproduce alibi --json");
  const json j = json::parse(machine.out);
  CHECK(machine.code == 0);
  CHECK(j["failed"] == 0);
  CHECK(j["papers"][0]["name"] == "alibi");
  CHECK(j["papers"][0]["results"][0]["published"] == 0.7071067811865476);
  CHECK(j["papers"][0]["results"][0]["ours_of"]["encoding"] == "alibi:heads=16");
  const Outcome table = folder.run("reproduce sandwich --markdown");
  CHECK(table.out.rfind("| result | published | ours | verdict |\n|---|---|---|---|\n| Sandwich: slope", 0) == 0);
  CHECK(lines(table.out) == 3);
}

TEST_CASE("reproduce --list names what there is; an unknown name is refused with the nearest") {
  const Folder folder;
  const Outcome list = folder.run("reproduce --list --json");
  const json j = json::parse(list.out);
  CHECK(j["published"].size() >= 24);
  CHECK(folder.run("reproduce --list").out.find("men2024") != std::string::npos);
  const Outcome wrong = folder.run("reproduce roformr");
  CHECK(wrong.code == 64);
  CHECK(wrong.err == "unknown published result 'roformr': did you mean 'roformer'?\n");
  CHECK(wrong.out.empty());
}

TEST_CASE("reproduce exits with 1 where a number is not met, and says which; a broken list is bad data") {
  const Folder folder;
  std::filesystem::create_directories(folder / "published");
  const std::string head =
      "title = \"T\"\nsource = \"S\"\n[[result]]\nname = \"slope\"\nanalysis = \"decay\"\nencoding = \"alibi:heads=8\"\n"
      "options = { length = 4, samples = 1 }\nvariable = \"score\"\nat = { head = 0, lag = 1 }\n";
  write_file(folder / "published/own.toml", head + "value = -0.4\n");
  const Outcome failed = folder.run("reproduce", "POSENC_DATA=.");
  CHECK(failed.code == 1);
  CHECK(failed.out.find("slope: failed: off by -0.1") != std::string::npos);
  CHECK(folder.run("reproduce -q", "POSENC_DATA=.").code == 1);
  write_file(folder / "published/own.toml", head + "value = -0.4\nunmet = \"a misprint\"\n");
  const Outcome differs = folder.run("reproduce", "POSENC_DATA=.");
  CHECK(differs.code == 0);
  CHECK(differs.out.find("slope: differs: a misprint") != std::string::npos);
  write_file(folder / "published/own.toml", head + "worth = 3\n");
  const Outcome broken = folder.run("reproduce", "POSENC_DATA=.");
  CHECK(broken.code == 65);
  CHECK(lines(broken.err) == 1);
  CHECK(broken.err.find("own.toml:") != std::string::npos);
}

TEST_CASE("reproduce -o holds the curves and the numbers, the same bytes at any thread count; an existing file stays") {
  const Folder folder;
  CHECK(folder.run("reproduce sandwich qin2024 --reproducible --threads 1 -q -o a.h5").code == 0);
  CHECK(folder.run("reproduce sandwich qin2024 --reproducible --threads 3 -q -o b.h5").code == 0);
  CHECK(read_file(folder / "a.h5") == read_file(folder / "b.h5"));
  const Outcome shown = folder.run("show a.h5 published/sandwich --json");
  CHECK(shown.code == 0);
  CHECK(shown.out.find("\"ours\"") != std::string::npos);
  const std::string before = read_file(folder / "a.h5");
  CHECK(folder.run("reproduce sandwich -o a.h5").code == 73);
  CHECK(read_file(folder / "a.h5") == before);
}
