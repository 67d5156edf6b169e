#include "support/measures.hpp"

using namespace posenc::test;

namespace {

/// Windows are matched by value: a finer search sees more of them, and the index shifts.
void with_scan(nlohmann::json& entry) {
  const std::string variable = entry["variable"];
  if (!variable.starts_with("base_")) return;
  entry["options"]["base-scan"] = "full";
  if (!entry["index"].is_object()) return;
  static const MemorySink scan = run("context", "rope", {{"dim", "128"}, {"length", "1000"}, {"base-scan", "full"}});
  REQUIRE(entry["options"]["length"] == 1000);
  const auto& edges = scan.data(variable);
  const double value = entry["value"];
  const auto nearest =
      std::min_element(edges.begin(), edges.end(), [&](double a, double b) { return std::abs(a - value) < std::abs(b - value); });
  entry["index"]["window"] = nearest - edges.begin();
}

}  // namespace

TEST_CASE("context agrees with measures computed independently in 50 digits, float64 and closed form") {
  CHECK(check_measures("measures_context.json", "context", {}, with_scan) == 33);
}
