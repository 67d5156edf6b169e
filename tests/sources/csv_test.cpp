#include "sources/csv.hpp"

#include "sources/temporary_file.hpp"
#include "sources/thrown.hpp"
#include "support/catch.hpp"

using namespace posenc;
using test::TemporaryFile;

namespace {

std::string opened(const std::string& text) {
  const TemporaryFile file("t.csv", text);
  const std::string outcome = test::thrown([&] { sources::open_csv(file.path()); });
  const auto at = outcome.find("t.csv");
  return at == std::string::npos ? outcome : outcome.substr(at);
}

}  // namespace

TEST_CASE("numbers, with or without a heading, comments and carriage returns") {
  for (const char* const text : {"1,2.5\n-3e2,4\n", "a,b\n1,2.5\n-3e2,4", "# made by hand\r\n 1 , 2.5\r\n\r\n-3e2,4\r\n"}) {
    const TemporaryFile file("t.csv", text);
    const auto t = sources::open_csv(file.path());
    CHECK(t->shape() == std::vector<model::Pos>{2, 2});
    std::vector<double> values(4);
    t->read(0, values);
    CHECK(values == std::vector<double>{1, 2.5, -300, 4});
  }
}

TEST_CASE("a single row or column is a vector") {
  for (const char* const text : {"1,2,3", "1\n2\n3\n", "x\n1\n2\n3"}) {
    const TemporaryFile file("t.csv", text);
    CHECK(sources::open_csv(file.path())->shape() == std::vector<model::Pos>{3});
  }
}

TEST_CASE("a first line of numbers is never taken for a heading") {
  for (const char* const first : {"nan", "inf", "-inf", "1e999", "1e-999", "0x10", "+1", ".5.", "-"})
    CHECK(opened(std::string(first) + "\n1\n2\n") == "t.csv:1: " + std::string(first) + ": must be a finite number");
  CHECK(opened("nan,inf\n1,2\n") == "t.csv:1: nan: must be a finite number");
  CHECK(opened("nano,info\n1,2\n") == "nothing");
  // A byte order mark does not turn the first number into a heading.
  const TemporaryFile file("t.csv",
                           "\xef\xbb\xbf"
                           "1\n2\n3\n");
  CHECK(sources::open_csv(file.path())->shape() == std::vector<model::Pos>{3});
}

TEST_CASE("a message holds the beginning of the cell, whatever it is") {
  CHECK(opened("1\n" + std::string(100000, 'x')).size() < 200);
  CHECK(opened(std::string("1\n2\0", 4)) == "t.csv:2: 2?: must be a finite number");
}

TEST_CASE("what is no table of finite numbers is refused with its line") {
  CHECK(opened("1,2\n3,x\n") == "t.csv:2: x: must be a finite number");
  CHECK(opened("1,x\n") == "t.csv:1: x: must be a finite number");
  CHECK(opened("a\nb\n") == "t.csv:2: b: must be a finite number");
  CHECK(opened("1,2\n3\n") == "t.csv:2: has 1 numbers, the rows above 2");
  CHECK(opened("1,2\n3,\n") == "t.csv:2: : must be a finite number");
  for (const char* const bad : {"1\nnan\n", "1\ninf\n", "1\n1e999\n", "1\n0x10\n", "1\n1 2\n", "1\n+1\n"})
    CHECK(opened(bad).find("t.csv:2: ") == 0);
  CHECK(opened("") == "t.csv: holds no numbers");
  CHECK(opened("a,b\n# 1\n") == "t.csv: holds no numbers");
}
