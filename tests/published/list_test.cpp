// Reading, selecting, reducing and judging, on lists written here.
#include "app/published/report.hpp"
#include "app/published/selection.hpp"
#include "cli/program.hpp"
#include "core/error.hpp"
#include "support/catch.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::app;
using Catch::Matchers::Contains;

namespace {

const std::string head = "title = \"T\"\nsource = \"S\"\n";

std::vector<PublishedPaper> read(const test::Folder& folder, const std::string& body) {
  test::write_file(folder / "one.toml", head + body);
  return read_published(folder.path().string(), {});
}
JudgedPaper judged(const std::string& body) {
  const test::Folder folder;
  return reproduce(read(folder, body), nullptr, {}).front();
}
/// One result of the bias of ALiBi: slope 1/2 and 1/4 for heads 0 and 1 of two.
std::string alibi(const std::string& rest) {
  return "[[result]]\nname = \"n\"\nanalysis = \"decay\"\nencoding = \"alibi:heads=8\"\noptions = { length = 16, samples = 1 }\n"
         "variable = \"score\"\n" +
         rest;
}

}  // namespace

TEST_CASE("a number is the element at its coordinates, within its tolerance") {
  const auto one = [](const std::string& rest) { return judged(alibi(rest)).judged.front(); };
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.5").verdict == Verdict::met);
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.4999").verdict == Verdict::failed);
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.4999\ntolerance = 1.1e-4").verdict == Verdict::met);
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.4999\nrelative = 1e-4").verdict == Verdict::met);
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.46\ndigits = 2").verdict == Verdict::met);
  CHECK(one("at = { head = 0, lag = 3 }\nvalue = -1.4\ndigits = 2").verdict == Verdict::failed);
  CHECK(one("at = { head = 0, lag = 3 }\nlow = -1.5\nhigh = -1").verdict == Verdict::met);
  CHECK(one("at = { head = 0, lag = 3 }\nlow = -1.4").verdict == Verdict::failed);
}

TEST_CASE("an unmet number differs for its reason, and fails once it is met") {
  const auto j = judged(alibi("at = { head = 0, lag = 3 }\nvalue = [-1.5, -2]\nunmet = [\"stale\", \"because\"]"));
  CHECK(j.judged[0].verdict == Verdict::failed);
  CHECK_THAT(j.judged[0].reason, Contains("stale"));
  CHECK(j.judged[1].verdict == Verdict::differs);
  CHECK(j.judged[1].reason == "because");
  CHECK(tally({j}).failed == 1);
}

TEST_CASE("lists go together, and name what varies") {
  const auto j = judged(alibi("at = { head = [0, 1], lag = 2 }\nvalue = [-1, -0.5]"));
  REQUIRE(j.judged.size() == 2);
  CHECK(j.paper.numbers[1].name == "n, head = 1");
  CHECK(j.judged[0].verdict == Verdict::met);
  CHECK(j.judged[1].verdict == Verdict::met);
  CHECK(j.judged[0].path == j.judged[1].path);
}

TEST_CASE("reductions, thresholds and second operands") {
  const auto ours = [](const std::string& rest) { return judged(alibi(rest + "\nvalue = 0")).judged.front().ours; };
  CHECK(ours("at = { head = 0 }\nreduce = \"min\"") == -7.5);
  CHECK(ours("at = { head = 0 }\nreduce = \"max\"") == 0);
  CHECK(ours("at = { head = 0 }\nreduce = \"argmin\"") == 15);
  CHECK(ours("at = { head = 0, lag = { from = 2, below = 5 } }\nreduce = \"sum\"") == -4.5);
  CHECK(ours("at = { head = 0, lag = { below = 4 } }\nreduce = \"mean\"") == -0.75);
  CHECK(ours("at = { head = 0, lag = { below = 4 } }\nreduce = \"median\"") == -0.75);
  CHECK(ours("at = { head = 0 }\nreduce = \"count\"\nbelow = -7") == 1);
  CHECK(ours("at = { head = 0 }\nreduce = \"first\"\nbelow = -0.9") == 2);
  CHECK(ours("at = { head = 0 }\nreduce = \"last\"\nabove = -0.9") == 1);
  CHECK(ours("at = { head = 0, lag = 4 }\npower = 2\nscale = 3") == 12);
  CHECK(ours("at = { head = 0 }\nagainst = { at = { head = 1 } }\ncombine = \"difference\"\nreduce = \"min\"") == -3.75);
  CHECK(ours("at = { head = 0, lag = 8 }\nagainst = { at = { head = 1, lag = 8 } }\ncombine = \"ratio\"") == 2);
  CHECK(ours("at = { head = 1, lag = 8 }\nagainst = { at = { head = 0, lag = 8 } }\ncombine = \"relative-difference\"\n"
             "magnitude = true") == 0.5);
  CHECK(std::isnan(ours("at = { head = 0 }\nreduce = \"first\"\nabove = 1")));
}

TEST_CASE("what cannot be computed fails with the reason") {
  const auto reason = [](const std::string& text) { return judged(text).judged.front().reason; };
  CHECK_THAT(reason(alibi("at = { head = 9, lag = 0 }\nvalue = 0")), Contains("head has no such value"));
  CHECK_THAT(reason(alibi("at = { head = 0 }\nvalue = 0")), Contains("16 elements where one is wanted"));
  CHECK_THAT(reason("[[result]]\nname = \"n\"\nanalysis = \"nothing\"\nencoding = \"rope\"\nvariable = \"v\"\nvalue = 1"),
             Contains("unknown analysis"));
  CHECK_THAT(
      reason("[[result]]\nname = \"n\"\nanalysis = \"decay\"\nencoding = \"alibi\"\nvariable = \"upper_bound\"\nvalue = 1"),
      Contains("not applicable"));
  CHECK_THAT(reason("[[result]]\nname = \"n\"\nanalysis = \"decay\"\nencoding = \"rope:dim=3\"\nvariable = \"score\"\nvalue = 1"),
             Contains("dim = 3"));
}

TEST_CASE("a list that breaks a rule is refused with its line") {
  const auto refused = [](const std::string& body) -> std::string {
    const test::Folder folder;
    try {
      read(folder, body);
    } catch (const BadData& e) {
      return e.what();
    }
    return "accepted";
  };
  CHECK_THAT(refused(alibi("at = { head = 0 }\nvalue = 1\nvalu = 2")), Contains("one.toml:") && Contains("unknown key 'valu'"));
  CHECK_THAT(refused(alibi("value = [1, 2]\nat = { lag = [1] }")), Contains("shorter than the list of values"));
  CHECK_THAT(refused(alibi("value = \"x\"")), Contains("must be a number"));
  CHECK_THAT(refused(alibi("value = 1\nreduce = \"most\"")), Contains("must be one of"));
  CHECK_THAT(refused(alibi("value = 1\nreduce = \"count\"")), Contains("above or below"));
  CHECK_THAT(refused(alibi("value = 1\ncombine = \"ratio\"")), Contains("belong together"));
  CHECK_THAT(refused(alibi("value = 1\nlow = 0\ntolerance = 1")), Contains("exclude a tolerance"));
  CHECK_THAT(refused(alibi("")), Contains("must be given"));
  CHECK_THAT(refused("[[result]\n"), Contains("one.toml:3"));
  CHECK_THAT(refused(""), Contains("no [[result]]"));
}
