// Every number of data/published by the functions behind `posenc reproduce`.
#include "app/data_folder.hpp"
#include "app/published/report.hpp"
#include "support/catch.hpp"

#include <fmt/format.h>
#include <cmath>
#include <map>

using namespace posenc::app;

namespace {

const std::vector<JudgedPaper>& judged() {
  static const std::vector<JudgedPaper> all = reproduce(read_published(data_folder() + "/published", {}), nullptr, {});
  return all;
}

}  // namespace

TEST_CASE("every published number is met, or differs for the reason that the list gives") {
  for (const JudgedPaper& p : judged())
    for (std::size_t i = 0; i < p.judged.size(); ++i) {
      const PublishedNumber& n = p.paper.numbers[i];
      const Judged& j = p.judged[i];
      INFO(fmt::format("{}: {}: published {}, ours {}, from {} to {}: {}", p.paper.stem, n.name, n.value, j.ours, n.low, n.high,
                       j.reason));
      CHECK(j.verdict != Verdict::failed);
    }
}

TEST_CASE("the list is whole: papers, numbers, classes, and few reasons") {
  std::map<NumberClass, int> of_class;
  for (const JudgedPaper& p : judged()) {
    CHECK_FALSE(p.paper.title.empty());
    CHECK_FALSE(p.paper.source.empty());
    for (const PublishedNumber& n : p.paper.numbers) {
      ++of_class[n.kind];
      INFO(n.name);
      CHECK_FALSE(n.source.empty());
      if (n.kind == NumberClass::exact) CHECK((n.high - n.low <= 0.05 * std::abs(n.value) + 0.02 || std::isnan(n.value)));
    }
  }
  CHECK(judged().size() >= 24);
  CHECK(of_class[NumberClass::exact] >= 300);
  CHECK(of_class[NumberClass::published] >= 40);
  CHECK(of_class[NumberClass::seed] >= 8);
  CHECK(of_class[NumberClass::solver] >= 4);
  const Tally t = tally(judged());
  CHECK(t.differs <= 13);
  CHECK(t.all() == t.met + t.differs);
}
