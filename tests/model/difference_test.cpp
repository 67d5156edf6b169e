// Which rows of a long array are compared.
#include "model/views/difference.hpp"

#include "sources/lowered.hpp"
#include "support/catch.hpp"

using namespace posenc;

namespace {
model::Encoding single(const char* frequency) {
  return test::resolved({"rope", "", {{"dim", "2"}, {"frequencies", "single"}, {"frequency", frequency}}})->lower(4096);
}
const model::ArrayDifference& named(const std::vector<model::ArrayDifference>& all, const std::string& name) {
  for (const auto& d : all)
    if (d.variable == name) return d;
  throw std::out_of_range(name);
}
}  // namespace

TEST_CASE("of a long array the first half and blocks up to the last row") {
  // sin(p t) - sin(p u) grows with p while the angles are small: the largest is at the last row.
  const model::Encoding a = single("1e-7"), b = single("1.0001e-7");
  model::Request q;
  q.length = 3'000'001;
  const auto all = model::differences(a, b, q, 1e-12), some = model::differences(a, b, q, 1e-12, std::uint64_t{1} << 20);
  const auto &whole = named(all, "sin"), &sampled = named(some, "sin");
  CHECK(whole.looked.empty());
  CHECK_FALSE(sampled.looked.empty());
  CHECK(sampled.where == model::Place{{"position", 3'000'000}, {"pair", 0}});
  CHECK(sampled.where == whole.where);
  CHECK(sampled.largest == whole.largest);
  // 1e-11 p > 1e-12 from the first position on.
  CHECK(sampled.first == model::Place{{"position", 1}, {"pair", 0}});
}

TEST_CASE("rotations by the same turns are equal without looking at their rows") {
  const model::Encoding a = single("0.5");
  model::Request q;
  q.length = model::Pos{1} << 50;  // no program reads so many rows
  for (const auto& d : model::differences(a, a, q, 0)) {
    CHECK(d.largest == 0);
    CHECK_FALSE(d.apart());
  }
}
