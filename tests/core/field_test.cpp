#include "core/field.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"

#include <array>

using namespace posenc;

TEST_CASE("a number is a whole finite token with an optional suffix") {
  CHECK(parse_number("x", "1e6") == 1e6);
  CHECK(parse_number("x", "4k") == 4096);
  CHECK(parse_number("x", "1M") == 1048576);
  CHECK(parse_number("x", "-0.5") == -0.5);
  for (const char* bad : {"", "1x", " 1", "1 ", "0x10", "nan", "inf", "1e999", "4kk", "k", "1,5", "+1"})
    CHECK_THROWS_AS(parse_number("x", bad), UsageError);
}

TEST_CASE("an integer is exact to 2^53 and never octal") {
  CHECK(parse_integer("n", "010") == 10);
  CHECK(parse_integer("n", "128k") == 131072);
  CHECK(parse_integer("n", "1e9") == 1000000000);
  CHECK(parse_integer("n", "9007199254740993") == 9007199254740993);
  for (const char* bad : {"1.5", "1e17", "99999999999999999999", "--1"}) CHECK_THROWS_AS(parse_integer("n", bad), UsageError);
}

namespace {
enum class Layout : int { interleaved, half_split };
constexpr std::array<std::string_view, 2> layouts{"interleaved", "half_split"};
struct Values {
  bool b = false;
  std::int64_t i = 4;
  double d = 1.5;
  std::string s = "word";
  std::vector<double> l = {16, 24, 24};
  Layout c = Layout::interleaved;
  std::optional<std::int64_t> oi;
  std::optional<double> od;
  Fields fields() {
    return {{"b", "1", "", &b},  {"i", "1", "", &i, Range{.low = 2, .even = true}}, {"d", "1", "", &d, above(0)},
            {"s", "1", "", &s},  {"l", "1", "", &l},
            {"c", "1", "", choice(c, layouts)}, {"oi", "1", "", &oi, at_least(1)}, {"od", "1", "", &od}};
  }
};
std::string message(Fields& f, std::string_view name, std::string_view token) {
  try {
    set("rope", *find(f, name), token);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}
}  // namespace

TEST_CASE("text of every kind of field sets it back") {
  Values from;
  from.oi = 7, from.od = 0.1, from.c = Layout::half_split, from.b = true;
  Values to;
  Fields source = from.fields(), target = to.fields();
  for (std::size_t k = 0; k < source.size(); ++k) set("x", target[k], text(source[k]));
  CHECK((to.b && to.i == 4 && to.d == 1.5 && to.s == "word" && to.l == from.l && to.c == Layout::half_split));
  CHECK((to.oi == 7 && to.od == 0.1));
  for (const Field& f : target) CHECK(f.given);
  CHECK(text(Values{}.fields()[6]).empty());
}

TEST_CASE("a refused value names owner, field, value and rule") {
  Values v;
  Fields f = v.fields();
  CHECK(message(f, "i", "63") == "rope: i = 63: must be >= 2, even");
  CHECK(message(f, "d", "0") == "rope: d = 0: must be > 0");
  CHECK(message(f, "c", "split") == "rope: c = split: must be one of interleaved, half_split");
  CHECK(message(f, "b", "yes") == "rope: b = yes: must be true or false");
  CHECK(message(f, "s", "") == "rope: s: must not be empty");
  CHECK(message(f, "l", "16/x") == "rope: l = x: must be a finite number");
  CHECK((v.i == 4 && v.d == 1.5));
}

TEST_CASE("the nearest name is offered when it is near") {
  const std::vector<std::string_view> names{"rope", "alibi", "sinusoidal"};
  CHECK(nearest("roep", names) == "rope");
  CHECK(nearest("sinusodal", names) == "sinusoidal");
  CHECK(nearest("kerple", names).empty());
}
