#include "app/consequence.hpp"

#include "app/other_tools.hpp"
#include "support/catch.hpp"

using namespace posenc;
using namespace posenc::app;

namespace {

sources::ModelReport report(const char* base_of_other) {
  sources::ModelReport out;
  sources::LayerReport layer;
  layer.name = "all", layer.positions = 1000, layer.at = 1000;
  layer.encoding = {"rope", "", {{"dim", "4"}, {"base", "10000"}, {"original", "1000"}}};
  out.layers = {layer};
  out.tools = {{"vLLM", "", true}};
  model::EncodingSpec other = layer.encoding;
  other.values[1].second = base_of_other;
  out.what_if = {{.condition = "vLLM reads the file", .layer = "all", .encoding = other, .tool = "vLLM"}};
  fill_consequences(out);
  return out;
}

}  // namespace

TEST_CASE("another base is a consequence, the same base is none") {
  // pair 1 turns by 1/100 and by 1/10 rad a position: pi/2 apart at 17.45
  const auto other = report("100");
  REQUIRE(other.what_if.size() == 1);
  CHECK(other.what_if[0].consequence->quarter_turn == 18);
  CHECK(other.what_if[0].consequence->channels == "pair 1");
  CHECK_FALSE(turns_alike(other, "vLLM"));
  const auto same = report("10000");
  CHECK(same.what_if.empty());
  CHECK(turns_alike(same, "vLLM"));
  CHECK(same.tools[0].refuses.empty());
}

TEST_CASE("a reading that no scheme can be is not called the same") {
  const auto r = report("-1");
  CHECK(r.what_if.empty());
  CHECK(r.tools[0].refuses == "rope: base = -1: must be > 1");
}
