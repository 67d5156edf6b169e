#include "app/overrides.hpp"

#include "app/encodings.hpp"
#include "core/error.hpp"
#include "support/catch.hpp"

using namespace posenc;
using namespace posenc::app;
using Values = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("an override reaches every encoding that has the field and does not set it itself") {
  Overrides overrides;
  overrides.dim = 64;
  std::vector<model::EncodingSpec> specs{{"rope", "", {}}, {"rope", "", {{"dim", "32"}}}, {"alibi", "", {{"heads", "4"}}}};
  CHECK(apply(overrides, specs).empty());
  CHECK(specs[0].values == Values{{"dim", "64"}});
  CHECK(specs[1].values == Values{{"dim", "32"}});
  CHECK(specs[2].values == Values{{"heads", "4"}, {"dim", "64"}});
}

TEST_CASE("an override that no encoding has is an error, one that all set themselves is reported") {
  Overrides base;
  base.base = 500000;
  std::vector<model::EncodingSpec> alibi{{"alibi", "", {}}};
  CHECK_THROWS_AS(apply(base, alibi), UsageError);
  std::vector<model::EncodingSpec> set{{"rope", "", {{"base", "10"}}}};
  CHECK(apply(base, set) == std::vector<std::string>{"base"});
  CHECK(set[0].values == Values{{"base", "10"}});
}

TEST_CASE("words become encodings with labels, values as written") {
  Overrides none;
  const Expanded e = expand({"rope", "rope:base=500000", "alibi:label=rope"}, none);
  REQUIRE(e.specs.size() == 3);
  CHECK(e.specs[0].label == "rope_2");
  CHECK(e.specs[1].label == "rope_3");
  CHECK(e.specs[2].label == "rope");
  CHECK(e.specs[1].values == Values{{"base", "500000"}});
}

TEST_CASE("a wrong value is refused while words are expanded, in the scheme's name") {
  Overrides none;
  const auto message = [&](const std::string& word) {
    try {
      expand({word}, none);
    } catch (const UsageError& e) {
      return std::string(e.what());
    }
    return std::string("accepted");
  };
  CHECK(message("rope:dim=63") == "rope: dim = 63: must be >= 2, even");
  CHECK(message("rope:bas=1") == "rope: unknown key 'bas': did you mean 'base'?");
  CHECK(message("roep") == "unknown scheme 'roep': did you mean 'rope'?");
}

TEST_CASE("the standard set is that of the documentation, in its order") {
  const auto& set = standard_set();
  const std::vector<std::string> documented{"sinusoidal",   "learned",       "shaw",  "transformer-xl", "t5",
                                            "tupe",         "deberta",       "alibi", "rope",           "pi:factor=4",
                                            "ntk:factor=4", "yarn:factor=4", "nope"};
  CHECK(set == documented);
}
