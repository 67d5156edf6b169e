#include "model/views/traits.hpp"
#include "support/catch.hpp"
#include "support/run_analysis.hpp"

#include <cmath>

using namespace posenc;
using namespace posenc::test;

namespace {
MemorySink properties(const std::string& encoding) {
  const auto scheme = schemes::registry().make(parse_encoding(encoding).scheme);
  Fields fields = scheme->fields();
  Options small{{"length", "64"}};
  for (const auto& [name, value] : Options{{"dim", "32"}, {"heads", "4"}})
    if (find(fields, name)) small.emplace_back(name, value);
  return run("properties", encoding, small);
}
std::vector<double> values(const MemorySink& s, const char* name) { return s.has(name) ? s.data(name) : std::vector<double>{}; }
double largest(const std::vector<double>& x) { return x.empty() ? NAN : *std::max_element(x.begin(), x.end()); }
}  // namespace

TEST_CASE("without positions a permuted sentence gives permuted outputs; with any scheme that encodes order it does not") {
  for (const auto name : schemes::registry().names()) {
    INFO(name);
    // A window as long as the sentence hides nothing.
    const MemorySink s = properties(name == "window" ? "window:window=16" : std::string(name));
    if (!s.has("permutation_defect")) {
      CHECK(s.reason("permutation_defect") != "");
      continue;
    }
    for (const double defect : s.data("permutation_defect"))
      if (name == "nope" || name == "drope")  // drope is used without positions
        CHECK(defect < 1e-12);  // sums of 64 weights in another order
      else
        CHECK(defect > 1e-3);
  }
}

TEST_CASE("what each paper claims of its scheme") {
  // Rounding of sums of 32 products of order one, relative to their rms.
  constexpr double rounding = 1e-13;
  for (const char* invariant : {"rope", "pi:factor=2", "ntk:factor=2", "xpos", "sinusoidal", "alibi", "kerple", "sandwich", "t5", "tisa", "shaw",
                                "transformer-xl", "deberta", "music-transformer"})
    for (const double defect : values(properties(invariant), "translation_defect")) {
      INFO(invariant);
      CHECK(defect < rounding);
    }
  // FIRE depends on the query beyond its threshold of 512 positions only.
  const Options beyond{{"length", "640"}, {"heads", "2"}};
  for (const double defect : values(properties("fire"), "translation_defect")) CHECK(defect < rounding);
  for (const double defect : values(run("properties", "fire", beyond), "translation_defect")) CHECK(defect > 1e-3);
  for (const char* varying : {"learned", "tupe", "self-extend:group=4,window=8"})
    for (const double defect : values(properties(varying), "translation_defect")) {
      INFO(varying);
      CHECK(defect > 1e-3);
    }
  CHECK(properties("sinusoidal").scalar("symmetry_defect") == 0);
  CHECK(largest(values(properties("deberta"), "symmetry_defect")) > 0.1);
  CHECK(largest(values(properties("alibi"), "monotone_violations")) == 0);
  CHECK(largest(values(properties("kerple"), "monotone_violations")) == 0);
  CHECK(properties("alibi").at("bounded", {{"head", 0}}) == 63 * 0.25);
  // Table of sinusoids of width 64: the first descent ends at lag 5, the score rises again at 6 (Yan 2019).
  CHECK(run("properties", "sinusoidal", {{"length", "64"}, {"dim", "64"}}).scalar("first_violation") == 6);
  CHECK(properties("rope").scalar("norm_defect") == Approx(0).margin(1e-15));
  CHECK(properties("xpos").reason("norm_defect") == "the rotation is damped");
  for (const char* causal : {"alibi", "kerple", "transformer-xl", "xpos", "cope"}) CHECK(properties(causal).scalar("causal") == 1);
  for (const char* both : {"nope", "rope", "sinusoidal", "tupe", "deberta"}) CHECK(properties(both).scalar("causal") == 0);
}

TEST_CASE("the expected asymmetry of a rotation is the mean of 4 sin^2 over all pairs of positions") {
  long double sum = 0;
  for (int m = 0; m < 64; ++m)
    for (int n = 0; n < 64; ++n)
      for (int j = 0; j < 16; ++j) sum += 4 * powl(sinl((m - n) * powl(10000.0L, -2.0L * j / 32)), 2);
  const MemorySink s = properties("rope");
  CHECK(s.scalar("symmetry_defect_expected") == Approx(static_cast<double>(sqrtl(sum / (64 * 64 * 16)))).epsilon(1e-13));
  CHECK(s.scalar("symmetry_defect") == Approx(s.scalar("symmetry_defect_expected")).epsilon(0.5));  // one draw of 16 pairs
}

TEST_CASE("a matrix too large to compute is sampled over the whole length") {
  // Chunks of 2560 positions: the first 2048 alone would look translation invariant.
  CHECK(run("properties", "dual-chunk", {{"length", "4096"}, {"dim", "16"}}).scalar("translation_defect") > 0.1);
  CHECK(properties("window:window=16").scalar("causal") == 1);
}

TEST_CASE("defects of a scheme that depends on content are absent and say why") {
  const MemorySink s = properties("path");
  for (const char* name : {"translation_defect", "symmetry_defect", "monotone_violations"}) {
    CHECK_FALSE(s.has(name));
    CHECK(s.reason(name).find("content") != std::string::npos);
  }
}
