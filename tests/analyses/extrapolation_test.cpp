#include "support/measures.hpp"

using namespace posenc;

TEST_CASE("measures of extrapolation agree with values computed independently") {
  CHECK(test::check_measures("extrapolation_measures.json", "extrapolation") == 66);
}

// dim 128, base 10000, L = 2048, k = 4: a NumPy prototype with dense features and its own phases.
TEST_CASE("measures of extrapolation agree with a prototype") {
  CHECK(test::check_measures("extrapolation_prototype.json", "extrapolation") == 79);
}

// L = 128, k = 2, 4, 8, printed with six digits: a second NumPy script, dense features throughout.
TEST_CASE("measures of extrapolation agree with a second prototype at a small length") {
  CHECK(test::check_measures("extrapolation_tiny.json", "extrapolation") > 250);
}
