#include "support/measures.hpp"

using namespace posenc::test;

namespace {
/// One draw where the entry is not about draws.
void without_draws(nlohmann::json& entry) {
  if (entry["variable"] != "logit_quantile") entry["options"]["samples"] = 1;
}
}  // namespace

TEST_CASE("decay agrees with measures computed independently in 50 digits, float64 and closed form") {
  CHECK(check_measures("measures_decay.json", "decay", {}, without_draws) == 77);
}

TEST_CASE("decay agrees with 40-digit arithmetic at random lags, in its scalars and its series without end") {
  CHECK(check_measures("decay_reference.json", "decay") == 730);
}
