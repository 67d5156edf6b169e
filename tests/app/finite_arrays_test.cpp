#include "app/finite_arrays.hpp"

#include "core/error.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>
#include <limits>

using namespace posenc;
using namespace posenc::app;

namespace {

Entry entry(const std::string& scheme, std::vector<std::pair<std::string, std::string>> values, model::Pos length) {
  Entry out{{scheme, scheme, std::move(values)}, nullptr};
  out.scheme = make_scheme(out.spec);
  const test::NpyLoader loader;
  out.scheme->resolve({length, 0, &loader});
  return out;
}
std::string message(const std::string& scheme, const std::vector<std::pair<std::string, std::string>>& values) {
  model::Request request;
  request.length = 64;
  try {
    refuse_infinite_arrays(entry(scheme, values, 64), request);
  } catch (const UsageError& e) {
    return e.what();
  }
  return "accepted";
}

}  // namespace

TEST_CASE("an array that overflows is refused in the name of the values given") {
  // keys grow by zeta^(-n/scale-base): 0.29^-630000 is beyond 1e308.
  CHECK(message("xpos", {{"scale-base", "0.0001"}}) == "xpos: scale-base = 0.0001: the array damping is not finite");
  CHECK(message("xpos", {{"scale-base", "10"}}) == "accepted");
  CHECK(message("xpos", {}) == "accepted");
  // Pairs that do not turn have no wavelength: NaN as described.
  CHECK(message("p-rope", {{"keep", "0.5"}}) == "accepted");
}

TEST_CASE("deviations of drawn parameters are bounded, so that no scheme draws infinities") {
  for (const char* name : {"learned", "tupe", "shaw", "transformer-xl", "music-transformer", "relative-key", "deberta", "t5",
                           "cope", "fox", "grape-a", "grape-ap", "path", "selective-rope"}) {
    INFO(name);
    CHECK_THROWS_WITH(make_scheme({name, "", {{"std", "1e308"}}}), std::string(name) + ": std = 1e308: must be > 0, <= 1e+30");
    CHECK_NOTHROW(make_scheme({name, "", {{"std", "1e30"}}}));
  }
}

TEST_CASE("every element is looked at on its way to the file") {
  Schema schema;
  schema.axis({"position", 4}, Type::i64, "position", "");
  schema.add({"table", Type::f64, {"position"}, "1", "", {}});
  schema.add({"wavelength", Type::f64, {"position"}, "1", "NaN where it does not turn", {}});
  const Entry e = entry("learned", {{"dim", "4"}, {"std", "2"}}, 64);
  const auto sink = finite_sink(e, schema, nullptr);
  const double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();
  CHECK_NOTHROW(sink->write("table", 0, std::vector<double>{1, 2}));
  CHECK_NOTHROW(sink->write("wavelength", 0, std::vector<double>{1, nan}));
  CHECK_THROWS_WITH(sink->write("table", 2, std::vector<double>{1, -inf}),
                    "learned: dim = 4, std = 2: the array table is not finite");
  CHECK_THROWS_WITH(sink->write_elements("table", 2, std::vector<double>{nan}),
                    "learned: dim = 4, std = 2: the array table is not finite");
  CHECK_THROWS_AS(sink->write("wavelength", 2, std::vector<double>{inf}), UsageError);
}
