#include "support/measures.hpp"

using namespace posenc::test;

TEST_CASE("periodicity agrees with measures computed independently in 50 digits, float64 and exact integers") {
  CHECK(check_measures("measures_periodicity.json", "periodicity") == 48);
}

TEST_CASE("periodicity agrees with loops over every lag, direct sums and singular values") {
  CHECK(check_measures("periodicity_ambiguity_reference.json", "periodicity") > 200);
}
