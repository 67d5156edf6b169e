#include "support/measures.hpp"

using namespace posenc::test;

TEST_CASE("ambiguity agrees with measures computed independently in 50 digits, float64 and closed form") {
  CHECK(check_measures("measures_ambiguity.json", "ambiguity") == 66);
}

TEST_CASE("ambiguity agrees with loops over every lag and pair of positions") {
  CHECK(check_measures("periodicity_ambiguity_reference.json", "ambiguity") > 900);
}
