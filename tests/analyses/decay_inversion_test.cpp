// Position inversion (Du 2026, arXiv 2605.15514). References: all pairs of lags one by one;
// tools/reference/position_inversion.py.
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>

using namespace posenc;

namespace {

double pair_by_pair(const std::vector<double>& score) {
  const std::size_t half = score.size() / 2;
  double count = 0;
  for (std::size_t near = 0; near < half; ++near)
    for (std::size_t far = half; far < score.size(); ++far) count += score[far] > score[near] + 1e-14;
  return count / static_cast<double>(half * (score.size() - half));
}

}  // namespace

TEST_CASE("the share of inverted pairs is that of all pairs of lags, whatever the encoding") {
  for (const char* encoding : {"rope:dim=16", "sinusoidal:dim=32", "xpos:dim=16", "t5:heads=1", "nope"}) {
    const auto r = test::run("decay", encoding, {{"length", "301"}, {"samples", "1"}});
    INFO(encoding);
    const bool heads = r.has("head");
    CHECK(r.data("inversion_probability").front() == pair_by_pair(r.data("score")));
    CHECK(heads == (std::string(encoding) == "t5:heads=1"));
  }
  const auto alibi = test::run("decay", "alibi:heads=2", {{"length", "100"}, {"samples", "1"}});
  CHECK(alibi.at("inversion_probability", {{"head", 0}}) == 0);
  CHECK(alibi.at("inversion_probability", {{"head", 1}}) == 0);
  CHECK(std::isnan(test::run("decay", "rope", {{"length", "1"}, {"samples", "1"}}).scalar("inversion_probability")));
}

TEST_CASE("shares agree with NumPy's: aligned exactly, drawn within four standard errors") {
  struct Case {
    const char* encoding;
    const char* length;
    double aligned, drawn;
  };
  for (const Case& c : {Case{"rope:dim=16", "1000", 0.3127, 0.425298}, Case{"rope:dim=64", "4096", 0.1714925765991211, 0.368659},
                        Case{"rope:dim=128", "8192", 0.15242552757263184, 0.350836}}) {
    const auto r = test::run("decay", c.encoding, {{"length", c.length}, {"samples", "65536"}});
    INFO(c.encoding);
    // NumPy's sums decide a few ties otherwise.
    CHECK(r.scalar("inversion_probability") == Approx(c.aligned).margin(1e-6));
    // Standard errors: ours 0.0019, NumPy's 0.0005.
    CHECK(r.scalar("inversion_probability_drawn") == Approx(c.drawn).margin(0.008));
  }
}

TEST_CASE("drawn products: for rotations alone") {
  const auto t5 = test::run("decay", "t5", {{"length", "32"}, {"samples", "1"}});
  CHECK(t5.reason("inversion_probability_drawn") == "drawn products are of rotated pairs");
  CHECK(test::run("decay", "self-extend", {{"length", "32"}, {"samples", "1"}})
            .reason("inversion_probability_drawn")
            .find("angle") != std::string::npos);
}
