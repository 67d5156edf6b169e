#include "support/measures.hpp"

using namespace posenc::test;

TEST_CASE("decompose agrees with closed forms that were checked by Monte Carlo") {
  CHECK(check_measures("measures_decompose.json", "decompose") == 18);
}
