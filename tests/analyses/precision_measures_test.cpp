#include "support/measures.hpp"

using namespace posenc::test;

namespace {

/// Entries name a position of the axis or the interval that begins at its i-th; each recipe is computed alone, and positions
/// beyond the default horizon need a longer one.
void one_recipe(nlohmann::json& entry) {
  auto& index = entry["index"];
  auto& options = entry["options"];
  if (index.contains("interval")) {
    const int i = index["interval"];
    index["position"] = i < 256 ? i : std::llround(std::exp2(8 + (i - 256) / 32.0));
    index.erase("interval");
  }
  if (index.contains("position") && index["position"] >= 1 << 20) options["position-horizon"] = 1 << 24;
  if (index.contains("recipe")) options["recipes"] = index["recipe"];
  options["shift-samples"] = 1;
}

}  // namespace

TEST_CASE("precision agrees with measures computed independently in 50 digits, float64 and exact integers") {
  CHECK(check_measures("measures_precision.json", "precision", {}, one_recipe) == 46);
}

TEST_CASE("precision agrees with 60-digit rationals, loops over every position and sums over every pair of positions") {
  CHECK(check_measures("precision_reference.json", "precision", {}, one_recipe) == 1104);
}
