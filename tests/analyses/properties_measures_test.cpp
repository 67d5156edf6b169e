#include "support/measures.hpp"

using namespace posenc::test;

TEST_CASE("properties agree with matrices computed by brute force and closed forms") {
  CHECK(check_measures("measures_properties.json", "properties") == 17);
}
